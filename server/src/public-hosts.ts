import ipaddr from 'ipaddr.js'

/**
 * Names that every machine resolves to itself or its own network (RFC 6761, RFC 6762, ICANN's
 * `.internal`, and what routers call their network).
 */
const privateName = /(^|\.)(localhost|local|internal|home\.arpa|lan)$/

/**
 * The only IPv6 range allocated to the public internet:
 * https://www.iana.org/assignments/ipv6-address-space
 */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether only this machine or its own network has a host, by its name or address. `hostname` is as
 * the parser of the URL standard writes it. The addresses of a name are not looked up.
 */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (ipaddr.isValid(host)) return !isPublicAddress(host)
  return privateName.test(host) || !host.includes('.')
}

/**
 * Whether an IP address is on the public internet: not private, loopback, link-local, shared (RFC
 * 6598), multicast or reserved, and not an IPv6 address that embeds an IPv4 address (mapped, 6to4,
 * Teredo, NAT64). Text that is not an address is not public.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast)
}
