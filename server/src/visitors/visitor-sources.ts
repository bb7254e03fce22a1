import { within } from './awake-time.ts'
import { errorMessage } from '../errors.ts'
import type { Log } from '../log.ts'
import type { DeviceType } from '@everscan/contract/rules/device-names.ts'

/** The place of a network, as far as it is known. */
export type KnownPlace = { country?: string; region?: string; city?: string }

/** Finds countries in a table. `knows`: whether the table is ready for a network. */
export type CountrySource = {
  countryOf: (network: string) => string | undefined
  knows: (network: string) => boolean
}
export type PlaceSource = (network: string) => KnownPlace
export type DeviceSource = (
  userAgent: string,
  told?: { app: string; hints: number },
) => { device?: DeviceType; os?: string; browser?: string }

/** Returns whether a hit is by a person, from its user agent and the flags of `scanHints`. */
export type PeopleSource = (userAgent: string, hints: number) => boolean

type Sources = {
  countries: CountrySource
  places: PlaceSource
  devices: DeviceSource
  people: PeopleSource
}
export type SourceName = keyof Sources

/** The sources by name, each as a function that loads it. They take memory and time to load. */
export type SourceLoaders = { [Name in SourceName]: () => Promise<Sources[Name]> } & {
  /** Finds the place of one network without loading anything. */
  look: (network: string) => Promise<KnownPlace>
}

/** The sources that are loaded. What one that is missing tells is unknown. */
export type LoadedSources = Readonly<Partial<Sources>>

/**
 * A scan waits this long for a place, besides the time in which the front stood still: a disk may
 * hang. Code is waited for as long as it takes, because it comes or fails.
 */
const waitMsDefault = 3_000
/** A source that could not be loaded is not tried for each scan. */
const retryMs = 60_000

/** Sources that a look into the files stands in for. */
const placeNames: ReadonlySet<SourceName> = new Set(['countries', 'places'])

/**
 * The sources of the properties of visitors. Each is loaded when the first code needs it: most
 * installations need none. No scan is answered as if it were unknown what a source would tell, only
 * because it is not loaded yet.
 */
export class VisitorSources {
  readonly #loaders: SourceLoaders
  readonly #log: Log
  readonly #waitMsMax: number
  readonly #loading = new Map<SourceName, Promise<void>>()
  #lookFailedAtMs = -Infinity
  readonly loaded: LoadedSources = {}

  constructor(loaders: SourceLoaders, log: Log, waitMsMax = waitMsDefault) {
    this.#loaders = loaders
    this.#log = log
    this.#waitMsMax = waitMsMax
  }

  /**
   * Returns undefined if these sources are loaded, and otherwise a promise of them for a visitor of
   * this network.
   */
  require(names: readonly SourceName[], network: string): Promise<LoadedSources> | undefined {
    for (const name of names) if (!this.#isReady(name, network)) return this.#complete(names, network)
    return undefined
  }

  /** Loads a source before a scan asks for it. */
  async load(name: SourceName): Promise<void> {
    const known = this.#loading.get(name)
    if (known !== undefined) return known
    const loading = this.#loadOnce(name)
    this.#loading.set(name, loading)
    return loading
  }

  #isReady(name: SourceName, network: string): boolean {
    if (name !== 'countries') return this.loaded[name] !== undefined
    return this.loaded.countries?.knows(network) === true
  }

  async #complete(names: readonly SourceName[], network: string): Promise<LoadedSources> {
    const missing = names.filter((name) => !this.#isReady(name, network))
    const loading = missing.map((name) => ({ name, loaded: this.load(name) }))
    const ofPlaces = loading.filter(({ name }) => placeNames.has(name))
    const place = ofPlaces.length === 0 ? undefined : await this.#find(network)
    await Promise.all(loading.filter(({ name }) => !placeNames.has(name)).map(({ loaded }) => loaded))
    if (place !== undefined) return { ...this.loaded, ...sourcesOf(place) }
    await within(Promise.all(ofPlaces.map(({ loaded }) => loaded)), this.#waitMsMax)
    return this.loaded
  }

  /** Returns the place of a network; undefined if it cannot be read now. */
  async #find(network: string): Promise<KnownPlace | undefined> {
    if (network === '') return {}
    try {
      const place = await within(this.#loaders.look(network), this.#waitMsMax)
      if (place !== 'late') return place
      this.#tellLook(new Error('it did not answer in time'))
    } catch (error) {
      this.#tellLook(error)
    }
    return undefined
  }

  #tellLook(error: unknown): void {
    const nowMs = performance.now()
    if (nowMs - this.#lookFailedAtMs < retryMs) return
    this.#lookFailedAtMs = nowMs
    this.#log.warn({ error: errorMessage(error) }, 'fronts cannot look into a geography file')
  }

  async #loadOnce(name: SourceName): Promise<void> {
    try {
      Object.assign(this.loaded, { [name]: await this.#loaders[name]() })
    } catch (error) {
      this.#log.error({ error: errorMessage(error) }, `fronts know no ${name} of visitors`)
      setTimeout(() => this.#loading.delete(name), retryMs).unref()
    }
  }
}

/** Returns sources for a visitor whose place is known. */
function sourcesOf(place: KnownPlace): LoadedSources {
  return { countries: { countryOf: () => place.country, knows: () => true }, places: () => place }
}
