import { join } from 'node:path'
import type { Config } from '../settings/settings.ts'
import type { Database } from '../db/database.ts'
import { areCountriesNeeded, countriesNeeded, everyCode } from '../db/feeds/changes.ts'
import { errorMessage } from '../errors.ts'
import type { GeographyFiles, Place } from './geography/geography.ts'
import type { Log } from '../log.ts'
import type { DeviceSource, KnownPlace, SourceLoaders, VisitorSources } from './visitor-sources.ts'

/**
 * Returns the sources of what rules ask about visitors, by the same code as ingest: rules and
 * analytics agree. A source is imported when a code needs it (record 25).
 */
export function visitorSourceLoaders(
  { dataDir, geoipCityV4, geoipCityV6 }: Pick<Config, 'dataDir' | 'geoipCityV4' | 'geoipCityV6'>,
  log: Log,
): SourceLoaders {
  const files = { cityV4: geoipCityV4, cityV6: geoipCityV6 }
  let look: SourceLoaders['look'] | undefined
  return {
    look: async (network) => {
      look ??= await openLook(files)
      return look(network)
    },
    countries: async () => {
      const { openCountryTable } = await import('./geography/open-country-table.ts')
      return openCountryTable({ files, cacheDir: join(dataDir, 'cache'), log }).table
    },
    places: async () => {
      const { openGeography } = await import('./geography/geography.ts')
      const { regionCode } = await import('./geography/region-codes.ts')
      const geography = await openGeography({ files, log })
      return (network) => knownPlace(geography.locate(network), regionCode)
    },
    devices: async () => {
      const { deviceOf } = await import('./user-agents/user-agents.ts')
      return (userAgent, told) => knownDevice(deviceOf(userAgent, told))
    },
    people: async () => {
      const { classify } = await import('./user-agents/bots.ts')
      return (userAgent, hints) => classify(userAgent, hints).class === 'human'
    },
  }
}

async function openLook(files: GeographyFiles): Promise<SourceLoaders['look']> {
  const { createCityFileLook } = await import('./geography/city-file-look.ts')
  const { regionCode } = await import('./geography/region-codes.ts')
  const look = createCityFileLook(files)
  return async (network) => knownPlace(await look(network), regionCode)
}

/**
 * Loads the table of countries before a scan asks for it, if a code has a rule by country: when a
 * front starts, and when the feed of changes says that there is one. Installations without such
 * rules do not pay for it.
 */
export function createEarlyCountries(
  db: Database,
  sources: VisitorSources,
  log: Log,
): { start: () => Promise<void>; onChanged: (entries: readonly string[]) => void } {
  const load = () => void sources.load('countries')
  const start = async (): Promise<void> => {
    try {
      if (await areCountriesNeeded(db)) load()
    } catch (error) {
      // The catalogue is away. Its feed begins with `everyCode` when it is back.
      log.debug({ error: errorMessage(error) }, 'whether countries are needed')
    }
  }
  return {
    start,
    onChanged: (entries) => {
      if (sources.loaded.countries !== undefined) return
      if (entries.includes(countriesNeeded)) load()
      else if (entries.includes(everyCode)) void start()
    },
  }
}

/** Returns a place without what is unknown. Unknown fulfils no condition. */
export function knownPlace(
  { country, region, city }: Pick<Place, 'country' | 'region' | 'city'>,
  regionCode: (country: string, region: string) => string | undefined,
): KnownPlace {
  const code = regionCode(country, region)
  return {
    ...(country !== 'XX' && { country }),
    ...(code !== undefined && { region: code }),
    ...(city !== 'Unknown' && { city }),
  }
}

type Device = { deviceType: 'mobile' | 'tablet' | 'desktop'; os: string; browser: string }

/** Returns a device without what is unknown. */
export function knownDevice({ deviceType, os, browser }: Device): ReturnType<DeviceSource> {
  return {
    device: deviceType,
    ...(os !== 'Unknown' && { os }),
    ...(browser !== 'Unknown' && { browser }),
  }
}
