import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '../../errors.ts'

type Asked = { method: string; headers: IncomingHttpHeaders }

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Throws ApiError 403 for a change that a page of another site asks for (CSRF). Browsers say where a request comes from in `Sec-Fetch-Site`, and all of them
 * in `Origin`. With a session cookie one of the two must say that it is this site; without one, neither may say that it is another:
 * programs send none of them, and have no cookie that somebody could misuse.
 */
export function requireSameOrigin(
  request: Asked,
  { publicUrl, hasCookie }: { publicUrl: string; hasCookie: boolean },
): void {
  if (readingMethods.has(request.method)) return
  const said = whatIsSaid(request.headers, publicUrl)
  if (said.every(Boolean) && (said.length > 0 || !hasCookie)) return
  throw new ApiError(403, 'FORBIDDEN', 'A change with a session must come from a page of this site.')
}

/** What each header that came says: whether it is this site. */
function whatIsSaid(headers: IncomingHttpHeaders, publicUrl: string): boolean[] {
  const { origin } = headers
  const site = headers['sec-fetch-site']
  return [
    ...(site === undefined ? [] : [site === 'same-origin']),
    ...(origin === undefined ? [] : [isOwnOrigin(origin, headers.host, publicUrl)]),
  ]
}

/** The origin of short URLs, or of the address that was asked; over plain http not when the service is on https. */
function isOwnOrigin(origin: string, host: string | undefined, publicUrl: string): boolean {
  if (origin === publicUrl) return true
  if (!URL.canParse(origin) || host === undefined) return false
  const { protocol, host: originHost } = new URL(origin)
  if (protocol !== 'https:' && !(protocol === 'http:' && publicUrl.startsWith('http:'))) return false
  return originHost === host.toLowerCase()
}
