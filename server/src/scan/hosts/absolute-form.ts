import type { IncomingMessage } from 'node:http'

/** A scheme of HTTP, a host with its port, and the rest. Without userinfo, which is refused. */
const absoluteForm = /^https?:\/\/([^/?#@]+)((?:[/?].*)?)$/i

/**
 * Turns a request whose target is a whole URL into one with a path and a `Host`, as every server
 * must accept it (RFC 9112, 3.2.2). The URL's host counts, not the header, and everything that
 * reads the request or hands it on sees that one alone. Returns false for a target that is neither.
 */
export function useOriginForm(request: IncomingMessage): boolean {
  const { url = '/', headers, rawHeaders, httpVersion } = request
  if (url.startsWith('/')) return true
  const [, authority, rest = ''] = absoluteForm.exec(url) ?? []
  if (authority === undefined) return false
  request.url = rest.startsWith('/') ? rest : `/${rest}`
  const named = rawHeaders.flatMap((name, at) => (at % 2 === 0 && name.toLowerCase() === 'host' ? [at] : []))
  // A header that must be there is still missed: see `hasRightHost`.
  if (named.length === 0 && httpVersion === '1.1') return true
  headers.host = authority
  for (const at of named) rawHeaders[at + 1] = authority
  if (named.length === 0) rawHeaders.push('Host', authority)
  return true
}
