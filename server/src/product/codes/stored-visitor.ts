import type { ReplayedScans } from '../../analytics/scan-store.ts'
import type { VisitorFacts } from '../../rules/visitor-facts.ts'
import type { KnownPlace, StoredPlace } from './rule-tools.ts'

/** The facts of stored scans, one after the other. What they do not have is unknown. */
export class StoredVisitor implements VisitorFacts {
  readonly #readPlace: (place: StoredPlace) => KnownPlace
  #scans: ReplayedScans = { scans: 0, rule: '', arm: '' }
  #place: KnownPlace | undefined

  constructor(readPlace: (place: StoredPlace) => KnownPlace) {
    this.#readPlace = readPlace
  }

  /** Returns itself with the facts of these scans. */
  of(scans: ReplayedScans): this {
    this.#scans = scans
    this.#place = undefined
    return this
  }

  get timeMs(): number {
    return this.#scans.timeMs ?? 0
  }

  country(): string | undefined {
    return this.#placeOnce().country
  }

  region(): string | undefined {
    return this.#placeOnce().region
  }

  city(): string | undefined {
    return this.#placeOnce().city
  }

  language(): string | undefined {
    const { language = '' } = this.#scans
    return language === '' ? undefined : language.toLowerCase()
  }

  device(): ReturnType<VisitorFacts['device']> {
    return this.#scans.device
  }

  os(): string | undefined {
    return known(this.#scans.os)
  }

  browser(): string | undefined {
    return known(this.#scans.browser)
  }

  query(): undefined {
    return undefined
  }

  address(): undefined {
    return undefined
  }

  visit(): undefined {
    return undefined
  }

  /** The form that a front has: 16 characters of latin-1. */
  key(): string {
    return Buffer.from(this.#scans.visitor ?? '', 'hex').toString('latin1')
  }

  #placeOnce(): KnownPlace {
    const { country = 'XX', region = '', city = 'Unknown' } = this.#scans
    this.#place ??= this.#readPlace({ country, region, city })
    return this.#place
  }
}

const known = (name: string | undefined): string | undefined => (name === 'Unknown' ? undefined : name)
