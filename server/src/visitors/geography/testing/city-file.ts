// Writes small city databases in MaxMind's format. Source: MaxMind DB file format, version 2.0.

type Value = string | number | readonly Value[] | { readonly [name: string]: Value }

export type CityFile = {
  /** `database_type` of the metadata. */
  type: string
  builtMs: number
  ipVersion: 4 | 6
  /** Records by network: the bits of its prefix, as a text of 0 and 1. */
  records: Readonly<Record<string, Value>>
}

/** Returns the bits of an IPv4 /24, or of an IPv6 /48 that is written with three groups. */
export function networkBits(network: string): string {
  const isV6 = network.includes(':')
  const parts = isV6 ? network.replace(/::$/, '').split(':') : network.split('.').slice(0, 3)
  return parts
    .map((part) =>
      Number.parseInt(part, isV6 ? 16 : 10)
        .toString(2)
        .padStart(isV6 ? 16 : 8, '0'),
    )
    .join('')
}

const empty = -1
/** A node has two records: another node (from 0), nothing, or data (from -2 down). */
type Node = [left: number, right: number]

export function cityFileBytes({ type, builtMs, ipVersion, records }: CityFile): Buffer {
  const nodes: Node[] = [[empty, empty]]
  const offsets: number[] = []
  const data: Buffer[] = []
  let dataBytes = 0
  for (const [bits, record] of Object.entries(records)) {
    offsets.push(dataBytes)
    const encoded = encode(record)
    data.push(encoded)
    dataBytes += encoded.length
    insert(nodes, bits, -1 - offsets.length)
  }
  const tree = Buffer.alloc(nodes.length * 6)
  for (const [at, node] of nodes.entries())
    for (const side of [0, 1] as const) {
      const found = node[side]
      const value =
        found >= 0 ? found : found === empty ? nodes.length : nodes.length + 16 + (offsets[-2 - found] ?? 0)
      tree.writeUIntBE(value, at * 6 + side * 3, 3)
    }
  const metadata = encode({
    node_count: nodes.length,
    record_size: 24,
    ip_version: ipVersion,
    database_type: type,
    languages: ['en'],
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: Math.floor(builtMs / 1000),
    description: { en: 'A test' },
  })
  const mark = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')
  return Buffer.concat([tree, Buffer.alloc(16), ...data, mark, metadata])
}

function insert(nodes: Node[], bits: string, leaf: number): void {
  let at = 0
  for (const [depth, bit] of bits.split('').entries()) {
    const side = bit === '1' ? 1 : 0
    const node = nodes[at] as Node
    if (depth === bits.length - 1) node[side] = leaf
    else if (node[side] < 0) node[side] = nodes.push([empty, empty]) - 1
    at = node[side]
  }
}

const types = { text: 2, double: 3, unsigned: 6, map: 7, array: 11 } as const

function encode(value: Value): Buffer {
  if (typeof value === 'string')
    return Buffer.concat([header(types.text, Buffer.byteLength(value)), Buffer.from(value)])
  if (typeof value === 'number') return encodeNumber(value)
  if (Array.isArray(value)) return Buffer.concat([header(types.array, value.length), ...value.map(encode)])
  const entries = Object.entries(value)
  return Buffer.concat([
    header(types.map, entries.length),
    ...entries.flatMap(([name, one]) => [encode(name), encode(one)]),
  ])
}

function encodeNumber(value: number): Buffer {
  const isWhole = Number.isInteger(value) && value >= 0
  const bytes = Buffer.alloc(isWhole ? 4 : 8)
  if (isWhole) bytes.writeUInt32BE(value)
  else bytes.writeDoubleBE(value)
  return Buffer.concat([header(isWhole ? types.unsigned : types.double, bytes.length), bytes])
}

/** Sizes up to 284; types above 7 are in a byte of their own. */
function header(type: number, size: number): Buffer {
  const long = size >= 29
  const control = ((type > 7 ? 0 : type) << 5) | (long ? 29 : size)
  return Buffer.from([control, ...(type > 7 ? [type - 7] : []), ...(long ? [size - 29] : [])])
}
