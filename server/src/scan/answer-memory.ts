import { changedOrganization, everyCode } from '../db/feeds/changes.ts'
import type { ScanTarget } from '../db/scans/scan-lookup.ts'
import { prepareAnswer } from './answer.ts'
import type { AnswerParts } from './content-answer.ts'
import type { CreateSplit } from '../rules/splits.ts'
import { Brands } from './brands.ts'
import { createPageReplies } from './page-replies.ts'
import { RecentCache } from './recent-cache.ts'
import type { ScanAnswer } from './scan-answer.ts'
import type { SiteHeaders } from './site-headers.ts'

/**
 * The number of organizations that may change their brand before everything is forgotten once, so
 * that their list stays small.
 */
const brandsMax = 100_000

/** Prepared answers, by the key of the code. */
export class AnswerMemory {
  readonly #known: RecentCache<ScanAnswer>
  /**
   * Codes that do not exist are kept separately, so that guessing cannot push out those that do.
   */
  readonly #unknown: RecentCache<ScanAnswer>
  readonly #brands = new Brands()
  readonly #parts: AnswerParts & { createSplit: CreateSplit }

  /**
   * Holds `entriesMax` redirects, or as much memory in pages. A page is up to some thousand times
   * as large as a redirect.
   */
  constructor(
    entriesMax: number,
    { siteHeaders, createSplit }: { siteHeaders: SiteHeaders; createSplit: CreateSplit },
  ) {
    this.#parts = { pages: createPageReplies(), brands: this.#brands, siteHeaders, createSplit }
    this.#known = new RecentCache(entriesMax, ({ weight = 1 }) => weight)
    this.#unknown = new RecentCache(entriesMax / 4)
  }

  get size(): number {
    return this.#known.size + this.#unknown.size
  }

  /**
   * The number of brand changes so far. An answer that was prepared before one of them may show the
   * old brand.
   */
  get brandChanges(): number {
    return this.#brands.changes
  }

  get(code: string): ScanAnswer | undefined {
    return this.#known.get(code) ?? this.#unknown.get(code)
  }

  /** Returns whether neither the code nor the name and logo on its page have changed since. */
  isCurrent({ brand, isStale }: ScanAnswer): boolean {
    return isStale !== true && (brand === undefined || this.#brands.isCurrent(brand))
  }

  prepare(target: ScanTarget | undefined): ScanAnswer {
    return prepareAnswer(target, this.#parts)
  }

  remember(code: string, target: ScanTarget | undefined): ScanAnswer {
    const answer = this.prepare(target)
    if (target !== undefined) this.#known.set(code, answer)
    else {
      this.#known.delete(code)
      this.#unknown.set(code, answer)
    }
    return answer
  }

  /** Forgets the entries of the feed of changes. Returns true if everything was forgotten. */
  forget(changed: readonly string[]): boolean {
    if (changed.includes(everyCode) || this.#brands.size > brandsMax) {
      this.#known.clear()
      this.#unknown.clear()
      this.#brands.clear()
      return true
    }
    for (const code of changed) {
      const organizationId = changedOrganization(code)
      if (organizationId !== undefined) this.#brands.change(organizationId)
      this.#makeStale(code)
      this.#unknown.delete(code)
    }
    return false
  }

  /**
   * Marks the answer of a changed code as stale, so that the code is looked up again. The last
   * answer stays in its place while the catalogue is unavailable: the old destination is better
   * than none, even for a code that was just archived or deleted.
   */
  #makeStale(code: string): void {
    const answer = this.#known.get(code)
    if (answer !== undefined && answer.isStale === undefined)
      this.#known.set(code, { ...answer, isStale: true })
  }
}
