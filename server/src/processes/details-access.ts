import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

export type DetailsAccess = {
  /** METRICS_TOKEN. */
  token: string | undefined
  /** METRICS_REQUIRE_TOKEN: a private address alone is not enough. */
  requireToken: boolean
}

/** Loopback, the private networks of RFC 1918 and RFC 4193, and link-local addresses. */
const nearNetworks = [
  ['127.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
] as const
const near = new BlockList()
for (const [address, bits, family] of nearNetworks) near.addSubnet(address, bits, family)

/**
 * Whether a request may read details about the parts of the service. It may with the token as a
 * bearer token, or, unless a token is required, from a near address without a proxy. A proxy on the
 * same machine has a near address for every client, so a request with headers of a proxy counts as
 * not near.
 */
export function mayReadDetails(request: IncomingMessage, { token, requireToken }: DetailsAccess): boolean {
  if (token !== undefined && hasToken(request, token)) return true
  return !requireToken && isNear(request.socket.remoteAddress ?? '') && !isProxied(request)
}

function hasToken({ headers }: IncomingMessage, token: string): boolean {
  const given = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  // Hashes have the same length, so their comparison takes constant time.
  return given !== undefined && timingSafeEqual(hash(given), hash(token))
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function isNear(remoteAddress: string): boolean {
  const [address = ''] = remoteAddress.split('%')
  const family = isIP(address)
  // The list also matches IPv4 addresses in IPv6 notation.
  return family !== 0 && near.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

function isProxied({ headers }: IncomingMessage): boolean {
  return Object.keys(headers).some(
    (name) => name === 'forwarded' || name === 'via' || name.startsWith('x-forwarded-'),
  )
}
