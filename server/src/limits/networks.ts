/**
 * The network of an address: an IPv4 address, or the /48 of an IPv6 address, all of which one
 * client may have. Only for counting in memory.
 */
export function networkOf(address: string): string {
  if (address.includes('.')) return address.slice(address.lastIndexOf(':') + 1)
  return address.split(':').slice(0, 3).join(':')
}
