import { changedOrganization, everyCode } from '../db/feeds/changes.ts'
import type { ScanTarget } from '../db/scans/scan-lookup.ts'
import { prepareAnswer } from './answer.ts'
import { Brands } from './brands.ts'
import { createPageReplies } from './page-replies.ts'
import { RecentCache } from './recent-cache.ts'
import type { ScanAnswer } from './scan-answer.ts'

/** So many organizations may change their brand before everything is forgotten once: their list stays small. */
const brandsMax = 100_000

/** Answers that are ready, by canonical code. */
export class AnswerMemory {
  readonly #known: RecentCache<ScanAnswer>
  /** Codes that do not exist are kept apart, so that guessing cannot push out those that do. */
  readonly #unknown: RecentCache<ScanAnswer>
  readonly #brands = new Brands()
  readonly #parts = { pages: createPageReplies(), brands: this.#brands }

  /** Holds so many redirects, or as much memory in pages, which are up to some thousand times as large. */
  constructor(entriesMax: number) {
    this.#known = new RecentCache(entriesMax, ({ weight = 1 }) => weight)
    this.#unknown = new RecentCache(entriesMax / 4)
  }

  get size(): number {
    return this.#known.size + this.#unknown.size
  }

  /** Changes of brands so far: an answer that was prepared before one of them may show what stood before. */
  get brandChanges(): number {
    return this.#brands.changes
  }

  get(code: string): ScanAnswer | undefined {
    return this.#known.get(code) ?? this.#unknown.get(code)
  }

  /** Whether neither the code nor the name and logo on its page were changed since. */
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

  /** Takes what the feed of changes says. True: everything is forgotten. */
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
   * A code that was changed is looked up again. Its last answer stays in its place for the time that the catalogue is
   * away: then the old destination is better than none, also of a code that was just archived or deleted.
   */
  #makeStale(code: string): void {
    const answer = this.#known.get(code)
    if (answer !== undefined && answer.isStale === undefined)
      this.#known.set(code, { ...answer, isStale: true })
  }
}
