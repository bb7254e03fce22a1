import type { IncomingHttpHeaders } from 'node:http'
import { problem } from '@everscan/contract/problems/problem.ts'
import { ApiError } from '../../errors.ts'

type RequestInfo = { method: string; headers: IncomingHttpHeaders }

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Throws ApiError 403 for a change that a page of another site requests (CSRF). Most browsers state
 * the origin of a request in `Sec-Fetch-Site`, and all of them in `Origin`. With a session cookie,
 * at least one of the two must name this site. Without a cookie, neither may name another site:
 * programs send neither, and have no cookie that an attacker could abuse.
 */
export function requireSameOrigin(
  request: RequestInfo,
  { publicUrl, hasCookie }: { publicUrl: string; hasCookie: boolean },
): void {
  if (safeMethods.has(request.method)) return
  const claims = sameOriginClaims(request.headers, publicUrl)
  if (claims.every(Boolean) && (claims.length > 0 || !hasCookie)) return
  throw new ApiError(403, 'FORBIDDEN', problem('changeFromOtherSite'))
}

/** Whether each header that the request has names this site. */
function sameOriginClaims(headers: IncomingHttpHeaders, publicUrl: string): boolean[] {
  const { origin } = headers
  const site = headers['sec-fetch-site']
  return [
    ...(site === undefined ? [] : [site === 'same-origin']),
    ...(origin === undefined ? [] : [isOwnOrigin(origin, headers.host, publicUrl)]),
  ]
}

/**
 * Whether it is the origin of short URLs, or of the requested host. Over plain http only if the
 * service is not on https.
 */
function isOwnOrigin(origin: string, host: string | undefined, publicUrl: string): boolean {
  if (origin === publicUrl) return true
  if (!URL.canParse(origin) || host === undefined) return false
  const { protocol, host: originHost } = new URL(origin)
  if (protocol !== 'https:' && !(protocol === 'http:' && publicUrl.startsWith('http:'))) return false
  return originHost === host.toLowerCase()
}
