import { BlockList, isIP } from 'node:net'
import { ipv6Groups } from '../address-networks.ts'

/**
 * Returns the networks whose `X-Forwarded-For` is trusted. Throws an Error that names an invalid
 * entry.
 */
export function createTrustedProxies(cidrs: readonly string[]): BlockList | undefined {
  if (cidrs.length === 0) return undefined
  const list = new BlockList()
  for (const cidr of cidrs) {
    const [address = '', prefix] = cidr.split('/')
    const family = isIP(address)
    const bits = prefix === undefined ? (family === 4 ? 32 : 128) : Number(prefix)
    if (family === 0 || !Number.isInteger(bits) || bits < 0 || bits > (family === 4 ? 32 : 128))
      throw new Error(`TRUST_PROXY: expected addresses or CIDR networks such as 10.0.0.0/8, got "${cidr}"`)
    list.addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}

/** Returns the address of the client: the end of its trail. */
export function clientAddress(...from: Parameters<typeof addressTrail>): string {
  return addressTrail(...from).at(-1) ?? ''
}

/**
 * Returns the trail from the peer to the client: trusted proxies, then the client. Without trusted
 * proxies the trail is the peer alone. With them the forwarded list is read from the right: each
 * entry is trusted only while the one that passed it on is trusted, so a client can invent nothing.
 * Source: RFC 7239 section 5.2, which is also why a hop count is not enough.
 */
export function addressTrail(
  peer: string | undefined,
  forwardedFor: string | readonly string[] | undefined,
  trusted: BlockList | undefined,
): string[] {
  let address = plainAddress(peer ?? '')
  const trail = [address]
  if (trusted === undefined || forwardedFor === undefined) return trail
  const hops = String(forwardedFor).split(',')
  while (hops.length > 0 && isTrusted(address, trusted)) {
    const next = plainAddress((hops.pop() ?? '').trim())
    if (isIP(next) === 0) break
    address = next
    trail.push(address)
  }
  return trail
}

/** Returns an address without port and zone, and IPv4 that is mapped into IPv6 as IPv4. */
function plainAddress(address: string): string {
  let text = address
  if (text.startsWith('[')) text = text.slice(1, text.indexOf(']'))
  const first = text.indexOf(':')
  if (first < 0) return text
  if (text.includes('.') && first === text.lastIndexOf(':')) return text.slice(0, first)
  if (text.startsWith('::ffff:') && text.includes('.')) return text.slice(7)
  const zone = text.indexOf('%')
  if (zone >= 0) text = text.slice(0, zone)
  return mappedIpv4(text) ?? text
}

/** Returns the IPv4 address in an IPv4-mapped one, in any notation: RFC 4291, section 2.5.5.2. */
function mappedIpv4(address: string): string | undefined {
  // The addresses of visitors begin with 2 or 3.
  const canBe = address.startsWith('0') || address.startsWith(':')
  if (!canBe || isIP(address) !== 6) return undefined
  const [a, b, c, d, e, mark, high = 0, low = 0] = ipv6Groups(address)
  if (a !== 0 || b !== 0 || c !== 0 || d !== 0 || e !== 0 || mark !== 0xff_ff) return undefined
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** Returns whether an address, as `clientAddress` returns it, is that of a trusted proxy. */
export function isTrusted(address: string, trusted: BlockList): boolean {
  const family = isIP(address)
  return family !== 0 && trusted.check(address, family === 4 ? 'ipv4' : 'ipv6')
}
