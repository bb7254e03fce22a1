import { errorMessage } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { DeviceType } from '@everscan/contract/rules/device-names.ts'

/** The place of a network, as far as it is known. */
export type KnownPlace = { country?: string; region?: string; city?: string }

/** Reads properties of a visitor. */
export type CountrySource = (network: string) => string | undefined
export type PlaceSource = (network: string) => KnownPlace
export type DeviceSource = (
  userAgent: string,
  told?: { app: string; hints: number },
) => { device?: DeviceType; os?: string; browser?: string }

/** Returns whether a hit is by a person, from its user agent and the flags of `scanHints`. */
export type PeopleSource = (userAgent: string, hints: number) => boolean

/** The sources by name, each as a function that loads it. They take memory and time to load. */
export type SourceLoaders = {
  countries: () => Promise<CountrySource>
  places: () => Promise<PlaceSource>
  devices: () => Promise<DeviceSource>
  people: () => Promise<PeopleSource>
}
export type SourceName = keyof SourceLoaders
type Loaded = { [Name in SourceName]?: Awaited<ReturnType<SourceLoaders[Name]>> }

/**
 * A scan waits this long for a source. Without it, the facts of the source are unknown, and scans
 * that come later find it.
 */
const waitMsDefault = 3_000
/** A source that could not be loaded is not tried for each scan. */
const retryMs = 60_000

/**
 * The sources of the properties of visitors. Each is loaded when the first code needs it: most
 * installations need none.
 */
export class VisitorSources {
  readonly #loaders: SourceLoaders
  readonly #log: Log
  readonly #waitMsMax: number
  readonly #loading = new Map<SourceName, Promise<void>>()
  /** The sources that are loaded. */
  readonly loaded: Readonly<Loaded> = {}

  constructor(loaders: SourceLoaders, log: Log, waitMsMax = waitMsDefault) {
    this.#loaders = loaders
    this.#log = log
    this.#waitMsMax = waitMsMax
  }

  /** Returns a promise only if a source is not loaded yet. It resolves in bounded time. */
  require(names: readonly SourceName[]): Promise<void> | undefined {
    let isLoaded = true
    for (const name of names) if (this.loaded[name] === undefined) isLoaded = false
    return isLoaded ? undefined : this.#wait(names)
  }

  async #wait(names: readonly SourceName[]): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#waitMsMax)
    })
    await Promise.race([Promise.all(names.map((name) => this.#load(name))), timeout])
    clearTimeout(timer)
  }

  async #load(name: SourceName): Promise<void> {
    const known = this.#loading.get(name)
    if (known !== undefined) return known
    const loading = this.#loadOnce(name)
    this.#loading.set(name, loading)
    return loading
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
