import { destinationProblem } from '@everscan/contract/code-types/destinations.ts'
import ipaddr from 'ipaddr.js'

/** What every machine takes for itself or its own network (RFC 6761, RFC 6762, and ICANN's `.internal`). */
const privateName = /(^|\.)(localhost|local|internal|home\.arpa)$/

/** Of IPv6 only this is given to the public internet: https://www.iana.org/assignments/ipv6-address-space */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Why events may not be sent to a URL, or undefined when they may: as that of a destination, and https, to a host that is not private in any
 * spelling. What a name leads to is looked at when it is connected to. `allowPrivate` allows http and private hosts.
 */
export function webhookUrlProblem(
  url: string,
  { allowPrivate }: { allowPrivate: boolean },
): string | undefined {
  const problem = destinationProblem(url)
  if (problem !== undefined || allowPrivate) return problem
  // The parser of the URL standard has made dotted decimals of all other spellings of IPv4.
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'https:') return 'must begin with https://'
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (privateName.test(host)) return `must lead to a public address, and "${host}" is private`
  if (ipaddr.isValid(host) && !isPublicAddress(host))
    return `must lead to a public address, and ${host} is not`
  return undefined
}

/**
 * Whether an IP address is one of the public internet: not private, loopback, link-local, shared (RFC 6598), multicast or reserved, and no IPv6 address
 * in which an IPv4 address is hidden (mapped, 6to4, Teredo, NAT64). What is no address is not public.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast)
}
