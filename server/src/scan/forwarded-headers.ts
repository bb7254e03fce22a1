import type { IncomingMessage } from 'node:http'

/**
 * Headers that concern a single connection (RFC 9110, section 7.6.1), and those that only the front
 * may set.
 */
const notForwarded = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  // The front itself continues or refuses the request.
  'expect',
  'x-forwarded-for',
  'x-everscan-trail',
  'x-everscan-forwarded-for',
  'x-everscan-tells-work',
])

/** Whether an answer tells of changes that another process has made, such as an import. */
export function tellsOfWork({ headers }: IncomingMessage): boolean {
  return headers['x-everscan-tells-work'] !== undefined
}

/**
 * Returns the headers of a request to the API: its own ones, and the address of the client. For
 * admins who set up proxies, they also contain the trail to that address and what the last proxy
 * said.
 */
export function forwardedHeaders(request: IncomingMessage, trail: readonly string[]): string[] {
  const said = request.headers['x-forwarded-for']
  return [
    ...endToEnd(request.rawHeaders),
    ...bodyFraming(request),
    // Only a request before HTTP/1.1 may lack it, and the API is asked in HTTP/1.1.
    ...(request.headers.host === undefined ? ['Host', ''] : []),
    'X-Forwarded-For',
    trail.at(-1) ?? '',
    'X-Everscan-Trail',
    trail.join(','),
    ...(said === undefined ? [] : ['X-Everscan-Forwarded-For', String(said)]),
  ]
}

/**
 * Returns the header that frames the body. A body of unknown length remains one, because otherwise
 * the upstream would see none. A request that names neither header has no body (RFC 9112, 6.3), as
 * `curl -X POST` sends it. Without `Content-Length` Node would send that as a body of unknown
 * length.
 */
function bodyFraming({ headers }: IncomingMessage): string[] {
  if (headers['transfer-encoding'] !== undefined) return ['Transfer-Encoding', 'chunked']
  return headers['content-length'] === undefined ? ['Content-Length', '0'] : []
}

/** Returns the headers without those that are not forwarded. */
export function endToEnd(raw: readonly string[]): string[] {
  const kept: string[] = []
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i] as string
    if (!notForwarded.has(name.toLowerCase())) kept.push(name, raw[i + 1] as string)
  }
  return kept
}

export function hasBody(request: IncomingMessage): boolean {
  return (
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
  )
}
