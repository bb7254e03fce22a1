import type { Brand } from '@everscan/pages/page-content.ts'
import { RecentCache } from './recent-cache.ts'

/** Which brand an answer shows: an organization's, as it stood after so many changes. */
export type BrandStamp = { organizationId: string; changes: number }

/** Characters of names and logos that are shared. */
const sharedCharsMax = 32_000_000

/** What organizations show on pages: each logo once in memory, and which answers show one that was changed since. */
export class Brands {
  readonly #changesOf = new Map<string, number>()
  readonly #shared = new RecentCache<Brand>(sharedCharsMax, charsOf)
  #changes = 0

  /** Changes of all organizations. */
  get changes(): number {
    return this.#changes
  }

  /** How many organizations have changed their brand since the last `clear`. */
  get size(): number {
    return this.#changesOf.size
  }

  /** The same object for the same brand of an organization. */
  share(organizationId: string, brand: Brand): Brand {
    const known = this.#shared.get(organizationId)
    if (known !== undefined && known.name === brand.name && known.logo?.dataUri === brand.logo?.dataUri)
      return known
    this.#shared.set(organizationId, brand)
    return brand
  }

  stamp(organizationId: string): BrandStamp {
    return { organizationId, changes: this.#changesOf.get(organizationId) ?? 0 }
  }

  isCurrent({ organizationId, changes }: BrandStamp): boolean {
    return (this.#changesOf.get(organizationId) ?? 0) === changes
  }

  change(organizationId: string): void {
    this.#changes++
    this.#changesOf.set(organizationId, (this.#changesOf.get(organizationId) ?? 0) + 1)
  }

  /** For when no answer is left that has a stamp. */
  clear(): void {
    this.#changes++
    this.#changesOf.clear()
    this.#shared.clear()
  }
}

function charsOf({ name = '', logo }: Brand): number {
  return 100 + name.length + (logo?.dataUri.length ?? 0)
}
