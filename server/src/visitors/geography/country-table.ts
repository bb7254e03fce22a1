import { ipv6Groups } from '../../address-networks.ts'
import type { CountryRanges } from './country-ranges.ts'

/** The ranges of both families; of one only if the file of the other cannot be read. */
type CountryTableRanges = { v4?: CountryRanges | undefined; v6?: CountryRanges | undefined }

/** Finds the countries of networks: some megabytes instead of the hundred of a city database. */
export class CountryTable {
  #ranges: CountryTableRanges = {}
  readonly #areKnown = { v4: false, v6: false }

  /**
   * Sets the ranges of a family to those of its database; absent: there are none, or those from
   * before stay.
   */
  use(family: 'v4' | 'v6', ranges?: CountryRanges): void {
    if (ranges !== undefined) this.#ranges = { ...this.#ranges, [family]: ranges }
    this.#areKnown[family] = true
  }

  /** Says that the ranges of a family are those of an earlier database, or are not there yet. */
  outdate(family: 'v4' | 'v6'): void {
    this.#areKnown[family] = false
  }

  /** Whether the table knows the country of a network as its database does. */
  knows(network: string): boolean {
    return network === '' || this.#areKnown[network.includes(':') ? 'v6' : 'v4']
  }

  /** The size in memory. */
  get bytes(): number {
    return [this.#ranges.v4, this.#ranges.v6].reduce(
      (sum, ranges) => sum + (ranges?.starts.byteLength ?? 0) + (ranges?.countries.byteLength ?? 0),
      0,
    )
  }

  /**
   * Returns the country (ISO 3166-1 alpha-2) of a network such as `203.0.113.0` or `2001:db8:1::`.
   * Undefined if it is unknown.
   */
  countryOf(network: string): string | undefined {
    if (network === '') return undefined
    if (network.includes(':')) {
      const [a = 0, b = 0, c = 0] = ipv6Groups(network)
      return find(this.#ranges.v6, a * 2 ** 32 + b * 2 ** 16 + c)
    }
    return find(this.#ranges.v4, ipv4Number(network))
  }
}

const dot = 46
const zero = 48

/** Returns the 24 bits of a network, digit by digit: splitting takes longer than the search. */
function ipv4Number(network: string): number {
  let number = 0
  let part = 0
  for (let at = 0, dots = 0; at < network.length && dots < 3; at++) {
    const code = network.charCodeAt(at)
    if (code === dot) {
      number = number * 256 + part
      part = 0
      dots++
    } else part = part * 10 + code - zero
  }
  return number
}

/** Returns the country of the last range that begins at the number or before it. */
function find(ranges: CountryRanges | undefined, number: number): string | undefined {
  if (ranges === undefined) return undefined
  const { starts, countries, codes } = ranges
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((starts[middle] as number) <= number) low = middle + 1
    else high = middle
  }
  return codes[countries[low - 1] ?? 0] || undefined
}
