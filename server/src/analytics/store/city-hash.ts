// CityHash64 of version 1.0.2, which is ClickHouse's `cityHash64` of one text. Later versions
// have other results. Source: github.com/google/cityhash, as ClickHouse has it.

const k0 = 0xc3a5c85c97cb3127n
const k1 = 0xb492b66fbe98f273n
const k2 = 0x9ae16a3b2f90404fn
const k3 = 0xc949d7c7509e6557n
const kMul = 0x9ddfea08eb382d69n

/** Returns ClickHouse's `cityHash64` of a text. */
export function cityHash64(text: string): bigint {
  const bytes = Buffer.from(text)
  if (bytes.length <= 16) return hashUpTo16(bytes)
  if (bytes.length <= 32) return hashUpTo32(bytes)
  return bytes.length <= 64 ? hashUpTo64(bytes) : hashLonger(bytes)
}

const wrap = (value: bigint): bigint => BigInt.asUintN(64, value)
const times = (one: bigint, other: bigint): bigint => wrap(one * other)
const shiftMix = (value: bigint): bigint => value ^ (value >> 47n)

function rotate(value: bigint, bits: number): bigint {
  const word = wrap(value)
  return wrap((word >> BigInt(bits)) | (word << BigInt(64 - bits)))
}

function mix(low: bigint, high: bigint): bigint {
  const [one, other] = [wrap(low), wrap(high)]
  const a = shiftMix(times(one ^ other, kMul))
  const b = shiftMix(times(other ^ a, kMul))
  return times(b, kMul)
}

function hashUpTo16(bytes: Buffer): bigint {
  const { length } = bytes
  const size = BigInt(length)
  if (length > 8) {
    const a = bytes.readBigUInt64LE(0)
    const b = bytes.readBigUInt64LE(length - 8)
    return mix(a, rotate(b + size, length)) ^ b
  }
  if (length >= 4)
    return mix(size + (BigInt(bytes.readUInt32LE(0)) << 3n), BigInt(bytes.readUInt32LE(length - 4)))
  if (length === 0) return k2
  const byte = (at: number): bigint => BigInt(bytes[at] ?? 0)
  const y = byte(0) + (byte(length >> 1) << 8n)
  const z = size + (byte(length - 1) << 2n)
  return times(shiftMix(times(y, k2) ^ times(z, k3)), k2)
}

function hashUpTo32(bytes: Buffer): bigint {
  const { length } = bytes
  const a = times(bytes.readBigUInt64LE(0), k1)
  const b = bytes.readBigUInt64LE(8)
  const c = times(bytes.readBigUInt64LE(length - 8), k2)
  const d = times(bytes.readBigUInt64LE(length - 16), k0)
  return mix(rotate(a - b, 43) + rotate(c, 30) + d, a + rotate(b ^ k3, 20) - c + BigInt(length))
}

function hashUpTo64(bytes: Buffer): bigint {
  const { length } = bytes
  const at = (offset: number): bigint => bytes.readBigUInt64LE(offset)
  const half = (start: bigint, from: number, last: bigint): [bigint, bigint] => {
    const a = start + at(from + 8)
    const b = a + at(from + 16)
    const c = rotate(start, 37) + rotate(a, 7)
    return [b + last, rotate(start + last, 52) + rotate(b, 31) + c]
  }
  const first = at(0) + (BigInt(length) + at(length - 16)) * k0
  const [vLow, vHigh] = half(first, 0, at(24))
  const [wLow, wHigh] = half(at(16) + at(length - 32), length - 32, at(length - 8))
  const r = shiftMix(wrap((vLow + wHigh) * k2 + (wLow + vHigh) * k0))
  return times(shiftMix(wrap(r * k0 + vHigh)), k2)
}

function hashLonger(bytes: Buffer): bigint {
  const { length } = bytes
  const at = (offset: number): bigint => bytes.readBigUInt64LE(offset)
  const weak = (offset: number, a: bigint, b: bigint): [bigint, bigint] => {
    const [w, x, y, z] = [at(offset), at(offset + 8), at(offset + 16), at(offset + 24)]
    const c = a + w
    const d = c + x + y
    return [wrap(d + z), wrap(rotate(b + c + z, 21) + rotate(d, 44) + c)]
  }
  let x = at(0)
  let y = at(length - 16) ^ k1
  let z = at(length - 56) ^ k0
  let v = weak(length - 64, BigInt(length), y)
  let w = weak(length - 32, BigInt(length) * k1, k0)
  z += shiftMix(v[1]) * k1
  x = times(rotate(z + x, 39), k1)
  y = times(rotate(y, 33), k1)
  const end = (length - 1) & ~63
  for (let from = 0; from < end; from += 64) {
    x = times(rotate(x + y + v[0] + at(from + 16), 37), k1) ^ w[1]
    y = times(rotate(y + v[1] + at(from + 48), 42), k1) ^ v[0]
    z = rotate(wrap(z) ^ w[0], 33)
    v = weak(from, v[1] * k1, x + w[0])
    w = weak(from + 32, z + w[1], y)
    ;[x, z] = [z, x]
  }
  return mix(mix(v[0], w[0]) + shiftMix(y) * k1 + z, mix(v[1], w[1]) + x)
}
