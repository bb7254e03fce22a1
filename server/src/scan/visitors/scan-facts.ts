import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { networkOf } from '../../address-networks.ts'
import type { VisitorFacts } from '../../rules/visitor-facts.ts'
import { preferredLanguage } from './preferred-language.ts'
import type { RecentCache } from '../recent-cache.ts'
import type { KnownPlace, LoadedSources } from '../../visitors/visitor-sources.ts'

const languageCharsMax = 200

/** The visitor of a scan, as `handler` knows it. */
export type ScanVisitorParts = {
  request: IncomingMessage
  /** The address of the client; empty if it is unknown. */
  address: string
  userAgent: string
  /** The browser and the device by other headers: see `RawScan`. */
  app: string
  hints: number
  /** The visitor hash. */
  visitor: string
  /** Its key in the memory of visits: see `memoryKey`. */
  visitKey: string
  timeMs: number
}

/** The facts of a scan, each read when a condition asks for it, and once. */
export class ScanFacts implements VisitorFacts {
  readonly timeMs: number
  readonly #parts: ScanVisitorParts
  readonly #sources: LoadedSources
  readonly #visits: RecentCache<true>
  #place: KnownPlace | undefined
  /** Null: it was read and is unknown. */
  #country: string | null | undefined
  #language: string | null | undefined
  #visit: 'first' | 'again' | undefined

  constructor(parts: ScanVisitorParts, sources: LoadedSources, visits: RecentCache<true>) {
    this.#parts = parts
    this.#sources = sources
    this.#visits = visits
    this.timeMs = parts.timeMs
  }

  /** The table of countries is asked, or the place if it is known already: both agree. */
  country(): string | undefined {
    if (this.#country === undefined) this.#country = this.#readCountry() ?? null
    return this.#country ?? undefined
  }

  region(): string | undefined {
    return this.#placeOnce().region
  }

  city(): string | undefined {
    return this.#placeOnce().city
  }

  language(): string | undefined {
    if (this.#language === undefined) this.#language = this.#readLanguage() ?? null
    return this.#language ?? undefined
  }

  device(): ReturnType<VisitorFacts['device']> {
    return this.#deviceOf()?.device
  }

  os(): string | undefined {
    return this.#deviceOf()?.os
  }

  browser(): string | undefined {
    return this.#deviceOf()?.browser
  }

  query(): string | undefined {
    return queryOf(this.#parts.request)
  }

  address(): string | undefined {
    const { address } = this.#parts
    return isIP(address) === 0 ? undefined : address
  }

  visit(): 'first' | 'again' {
    this.#visit ??= this.#visits.get(this.#parts.visitKey) === true ? 'again' : 'first'
    return this.#visit
  }

  key(): string {
    return this.#parts.visitor
  }

  #readCountry(): string | undefined {
    const { countries } = this.#sources
    if (countries === undefined || this.#place !== undefined) return this.#placeOnce().country
    return countries.countryOf(networkOf(this.#parts.address))
  }

  #placeOnce(): KnownPlace {
    this.#place ??= this.#sources.places?.(networkOf(this.#parts.address)) ?? {}
    return this.#place
  }

  #readLanguage(): string | undefined {
    const header = this.#parts.request.headers['accept-language']
    return header === undefined ? undefined : preferredLanguage(header.slice(0, languageCharsMax))
  }

  /** The source remembers user agents. */
  #deviceOf(): ReturnType<NonNullable<LoadedSources['devices']>> | undefined {
    const { userAgent, app, hints } = this.#parts
    return userAgent === '' ? undefined : this.#sources.devices?.(userAgent, { app, hints })
  }
}

/** Returns the query of a request without its question mark; empty if there is none. */
export function queryOf({ url = '' }: IncomingMessage): string {
  const start = url.indexOf('?')
  return start < 0 ? '' : url.slice(start + 1)
}
