// The profile of sRGB (IEC 61966-2-1) for the output intent of a PDF, made from its definition:
// three primaries, adapted to D50, and one curve.

/** The curve has this many points. */
const curvePoints = 1024
/** The white of the profile connection space: D50. */
const whiteD50 = [0.9642, 1, 0.8249] as const
/** The primaries, adapted from D65 to D50 with the Bradford matrix. */
const primaries = {
  rXYZ: [0.4361, 0.2225, 0.0139],
  gXYZ: [0.3851, 0.7169, 0.0971],
  bXYZ: [0.1431, 0.0606, 0.7139],
} as const
const name = 'sRGB IEC61966-2.1'

/** Returns the profile as ICC.1:1998-09 defines it, which PDF 1.4 knows: about 2.5 kB. */
export function srgbProfile(): Buffer {
  const curve = curveTag()
  const tags: [signature: string, data: Buffer][] = [
    ['desc', descriptionTag()],
    ['cprt', Buffer.concat([tagHead('text'), Buffer.from('No copyright, use freely.\0')])],
    ['wtpt', xyzTag(whiteD50)],
    ...Object.entries(primaries).map(([signature, xyz]): [string, Buffer] => [signature, xyzTag(xyz)]),
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ]
  const start = 128 + 4 + tags.length * 12
  const bodies = [...new Set(tags.map(([, data]) => data))].map(padded)
  const offsets = bodies.map((_, at) => bodies.slice(0, at).reduce((sum, body) => sum + body.length, start))
  const distinct = [...new Set(tags.map(([, data]) => data))]
  const table = tags.map(([signature, data]) => {
    const entry = Buffer.alloc(12)
    entry.write(signature, 'latin1')
    entry.writeUInt32BE(offsets[distinct.indexOf(data)] ?? 0, 4)
    entry.writeUInt32BE(data.length, 8)
    return entry
  })
  const count = Buffer.alloc(4)
  count.writeUInt32BE(tags.length)
  const body = Buffer.concat([count, ...table, ...bodies])
  return Buffer.concat([header(128 + body.length), body])
}

/** ICC.1:1998-09, 6.1. */
function header(length: number): Buffer {
  const bytes = Buffer.alloc(128)
  bytes.writeUInt32BE(length)
  // Version 2.1.
  bytes.writeUInt32BE(0x02_10_00_00, 8)
  bytes.write('mntrRGB XYZ ', 12, 'latin1')
  // The date must exist; the same file is the same bytes.
  for (const [at, value] of [2000, 1, 1].entries()) bytes.writeUInt16BE(value, 24 + 2 * at)
  bytes.write('acsp', 36, 'latin1')
  whiteD50.forEach((value, at) => bytes.writeInt32BE(fixed(value), 68 + 4 * at))
  return bytes
}

const fixed = (value: number): number => Math.round(value * 65_536)

function tagHead(signature: string): Buffer {
  return Buffer.concat([Buffer.from(signature, 'latin1'), Buffer.alloc(4)])
}

function xyzTag(xyz: readonly number[]): Buffer {
  const values = Buffer.alloc(12)
  xyz.forEach((value, at) => values.writeInt32BE(fixed(value), 4 * at))
  return Buffer.concat([tagHead('XYZ '), values])
}

/** The name in ASCII; the parts for Unicode and Macintosh are empty. */
function descriptionTag(): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(name.length + 1)
  return Buffer.concat([tagHead('desc'), length, Buffer.from(`${name}\0`), Buffer.alloc(4 + 4 + 2 + 1 + 67)])
}

function curveTag(): Buffer {
  const values = Buffer.alloc(4 + 2 * curvePoints)
  values.writeUInt32BE(curvePoints)
  for (let at = 0; at < curvePoints; at++) {
    const share = at / (curvePoints - 1)
    const linear = share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    values.writeUInt16BE(Math.round(linear * 65_535), 4 + 2 * at)
  }
  return Buffer.concat([tagHead('curv'), values])
}

/** Tags begin at multiples of four bytes. */
function padded(data: Buffer): Buffer {
  return Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4)])
}
