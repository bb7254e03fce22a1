import { Reader, type Response } from 'mmdb-lib'
import { MmdbRecords, recordReader, wholeFile } from './mmdb-records.ts'

/**
 * The countries of all networks of a family, as ranges: a range begins at `starts[i]`, ends before
 * the next one, and lies in `codes[countries[i]]`. Networks are numbers: an IPv4 /24 of 24 bits, an
 * IPv6 /48 of 48 bits. Code 0 is unknown.
 */
export type CountryRanges = { starts: Float64Array; countries: Uint8Array; codes: string[] }

const networkBits = { v4: 24, v6: 48 } as const

/**
 * Reads the ranges from a database in MaxMind's format. The country of a network is that of its
 * first address, as `Geography.locate` finds it. It takes seconds for a city database, so it runs
 * on a thread.
 */
export function readCountryRanges(bytes: Buffer, family: 'v4' | 'v6'): CountryRanges {
  const { nodeCount, nodeByteSize, recordSize, searchTreeSize, ipVersion } = new Reader<Response>(bytes)
    .metadata
  const read = recordReader(wholeFile(bytes), recordSize)
  const records = new MmdbRecords(wholeFile(bytes), searchTreeSize + 16)
  const known = new Map<number, number>()
  const codes = ['']
  const starts: number[] = []
  const countries: number[] = []
  const countryAt = (node: number): number => {
    if (node === nodeCount) return 0
    const found = known.get(node)
    if (found !== undefined) return found
    const code = countryCode(records, node - nodeCount + searchTreeSize)
    let index = codes.indexOf(code)
    if (index < 0) index = codes.push(code) - 1
    known.set(node, index)
    return index
  }
  const bits = networkBits[family]
  const walk = (node: number, depth: number, prefix: number): void => {
    if (node < nodeCount && depth < bits) {
      walk(read(node * nodeByteSize, 0), depth + 1, prefix * 2)
      walk(read(node * nodeByteSize, 1), depth + 1, prefix * 2 + 1)
      return
    }
    let leaf = node
    while (leaf < nodeCount) leaf = read(leaf * nodeByteSize, 0)
    const country = countryAt(leaf)
    if (countries.at(-1) === country) return
    starts.push(prefix * 2 ** (bits - depth))
    countries.push(country)
  }
  let root = 0
  // A database of both families has IPv4 below ::/96.
  if (family === 'v4' && ipVersion === 6)
    for (let depth = 0; depth < 96 && root < nodeCount; depth++) root = read(root * nodeByteSize, 0)
  walk(root, 0, 0)
  return { starts: Float64Array.from(starts), countries: Uint8Array.from(countries), codes }
}

function countryCode(records: MmdbRecords, at: number): string {
  const flat = records.text(records.field(at, 'country_code'))
  const nested = (name: string) => records.text(records.field(records.field(at, name), 'iso_code'))
  const code = (flat || nested('country') || nested('registered_country')).trim()
  return /^[A-Z]{2}$/.test(code) ? code : ''
}
