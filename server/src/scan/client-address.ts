import { BlockList, isIP } from 'node:net'

/** The networks whose `X-Forwarded-For` is believed. Throws an Error that names a wrong entry. */
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

/** The address of the client: the end of its trail. */
export function clientAddress(...from: Parameters<typeof addressTrail>): string {
  return addressTrail(...from).at(-1) ?? ''
}

/**
 * The way from the peer to the client: trusted proxies, and then the client. Without trusted proxies that is the peer alone. With them the forwarded list is
 * read from the right: each entry is believed only while the one that handed it on is trusted, so a client can invent nothing.
 * Source: RFC 7239 section 5.2, and the reason why a hop count is not enough.
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

/**
 * The network an address is in, as its first address: IPv4 /24, IPv6 /48. Enough for a city, not for a person; this is
 * all of the address that is ever kept. Empty when there is no valid address.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) {
    const end = address.lastIndexOf('.')
    return end < 0 ? '' : `${address.slice(0, end)}.0`
  }
  return isIP(address) === 6 ? ipv6Network(address) : ''
}

function ipv6Network(address: string): string {
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  // With "::" the groups left out are zeros; only the first three groups matter here.
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length)
  const all = [...groups, ...Array.from({ length: missing }, () => '0'), ...(tail ?? '').split(':')]
  return `${all
    .slice(0, 3)
    .map((group) => Number.parseInt(group || '0', 16).toString(16))
    .join(':')}::`
}

/** Without the IPv4-mapped prefix, a port or a zone. */
function plainAddress(address: string): string {
  let text = address
  if (text.startsWith('[')) text = text.slice(1, text.indexOf(']'))
  else if (text.includes('.') && text.includes(':') && !text.includes('::'))
    text = text.slice(0, text.indexOf(':'))
  if (text.startsWith('::ffff:') && text.includes('.')) return text.slice(7)
  const zone = text.indexOf('%')
  return zone < 0 ? text : text.slice(0, zone)
}

function isTrusted(address: string, trusted: BlockList): boolean {
  const family = isIP(address)
  return family !== 0 && trusted.check(address, family === 4 ? 'ipv4' : 'ipv6')
}
