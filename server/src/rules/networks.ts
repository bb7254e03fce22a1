import { isIP } from 'node:net'
import { ipv6Groups } from '../address-networks.ts'

/** Whether an address lies in a network. */
export type NetworkTest = (address: string) => boolean

/** Reads a network in CIDR notation, or an address. Undefined: it is none. */
export function readNetwork(text: string): NetworkTest | undefined {
  const [address = '', prefix, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || address.includes('%') || rest.length > 0) return undefined
  const bitsMax = family === 4 ? 32 : 128
  if (prefix !== undefined && !/^(0|[1-9][0-9]{0,2})$/.test(prefix)) return undefined
  const bits = prefix === undefined ? bitsMax : Number(prefix)
  if (bits > bitsMax) return undefined
  const network = groupsOf(address)
  return (other) => {
    if (isIP(other) !== family) return false
    const groups = groupsOf(other)
    for (let at = 0, left = bits; left > 0; at++, left -= 16) {
      const ignored = left >= 16 ? 0 : 16 - left
      if ((groups[at] ?? 0) >> ignored !== (network[at] ?? 0) >> ignored) return false
    }
    return true
  }
}

/** Returns the address in groups of 16 bits. */
function groupsOf(address: string): readonly number[] {
  if (address.includes(':')) return ipv6Groups(address)
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  return [a * 256 + b, c * 256 + d]
}
