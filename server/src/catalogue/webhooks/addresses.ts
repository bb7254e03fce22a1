import { destinationProblem } from '@everscan/contract/code-types/destinations.ts'
import ipaddr from 'ipaddr.js'

/**
 * Names that every machine resolves to itself or its own network (RFC 6761, RFC 6762, and ICANN's
 * `.internal`).
 */
const privateName = /(^|\.)(localhost|local|internal|home\.arpa)$/

/**
 * The only IPv6 range allocated to the public internet:
 * https://www.iana.org/assignments/ipv6-address-space
 */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Returns why a webhook may not use a URL, or undefined if it may. The URL must be a valid
 * destination with https and a host that is not private in any spelling. The addresses of a host
 * name are checked on connection. `allowPrivate` allows http and private hosts.
 */
export function webhookUrlProblem(
  url: string,
  { allowPrivate }: { allowPrivate: boolean },
): string | undefined {
  const problem = destinationProblem(url)
  if (problem !== undefined || allowPrivate) return problem
  // The parser of the URL standard has converted all other spellings of IPv4 to dotted decimals.
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'https:') return 'must begin with https://'
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (privateName.test(host)) return `must lead to a public address, and "${host}" is private`
  if (ipaddr.isValid(host) && !isPublicAddress(host))
    return `must lead to a public address, and ${host} is not`
  return undefined
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
