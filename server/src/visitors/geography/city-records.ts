import { isIP } from 'node:net'
import type { Reader, Response } from 'mmdb-lib'
import { ipv6Groups } from '../../address-networks.ts'
import { MmdbRecords, recordReader, type Bytes } from './mmdb-records.ts'

/** The description at the end of a database. */
export type Metadata = Reader<Response>['metadata']

/** A city database in MaxMind's format. Its functions throw what reading its bytes throws. */
export type CityRecords = {
  /** Returns where the record of a network is; undefined if there is none. */
  placeOf: (network: string) => number | undefined
  /** Returns the fields of a record that tell a place. */
  read: (at: number) => object
}

export function cityRecords(bytes: Bytes, metadata: Metadata): CityRecords {
  const { nodeCount, nodeByteSize, recordSize, searchTreeSize, ipVersion } = metadata
  const readNode = recordReader(bytes, recordSize)
  const records = new MmdbRecords(bytes, searchTreeSize + 16)
  return {
    placeOf: (network) => {
      let node = 0
      // A database of both families has IPv4 below ::/96.
      if (ipVersion === 6 && isIP(network) === 4)
        for (let depth = 0; depth < 96 && node < nodeCount; depth++) node = readNode(node * nodeByteSize, 0)
      for (const bit of bitsOf(network)) {
        if (node >= nodeCount) break
        node = readNode(node * nodeByteSize, bit)
      }
      return node <= nodeCount ? undefined : node - nodeCount + searchTreeSize
    },
    read: (at) => cityRecord(records, at),
  }
}

/** Yields the bits of an address, the highest first. */
function* bitsOf(address: string): Generator<0 | 1> {
  const isLong = address.includes(':')
  const groups = isLong ? ipv6Groups(address) : address.split('.').map(Number)
  for (const group of groups)
    for (let bit = isLong ? 15 : 7; bit >= 0; bit--) yield ((group >> bit) & 1) as 0 | 1
}

/** Other fields, such as names in other languages, are passed over. */
function cityRecord(records: MmdbRecords, at: number): object {
  const field = (from: number, ...names: readonly string[]) =>
    names.reduce((place, name) => records.field(place, name), from)
  const text = (place: number) => records.text(place, 'utf8')
  const number = (...names: readonly string[]) => records.number(field(at, ...names))
  const city = field(at, 'city')
  return {
    country_code: text(field(at, 'country_code')),
    state1: text(field(at, 'state1')),
    city: text(city) || { names: { en: text(field(city, 'names', 'en')) } },
    latitude: number('latitude'),
    longitude: number('longitude'),
    country: { iso_code: text(field(at, 'country', 'iso_code')) },
    registered_country: { iso_code: text(field(at, 'registered_country', 'iso_code')) },
    subdivisions: [{ names: { en: text(field(records.first(field(at, 'subdivisions')), 'names', 'en')) } }],
    location: {
      latitude: number('location', 'latitude'),
      longitude: number('location', 'longitude'),
      accuracy_radius: number('location', 'accuracy_radius'),
    },
  }
}
