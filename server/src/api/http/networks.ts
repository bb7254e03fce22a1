/** Only to count by, in memory: the /48 of an IPv6 address, which one person may have, or an IPv4 address. */
export function networkOf(address: string): string {
  if (address.includes('.')) return address.slice(address.lastIndexOf(':') + 1)
  return address.split(':').slice(0, 3).join(':')
}
