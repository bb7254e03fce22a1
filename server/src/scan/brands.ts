import type { Brand } from '@everscan/pages/page-content.ts'
import { RecentCache } from './recent-cache.ts'

/** The brand that an answer shows: an organization's brand after this many changes. */
export type BrandStamp = { organizationId: string; changes: number }

/** The limit of the characters of shared names and logos. */
const sharedCharsMax = 32_000_000

/**
 * The names and logos that organizations show on pages. Each logo is in memory once. Stamps tell
 * whether an answer shows a brand that was changed since.
 */
export class Brands {
  readonly #changesOf = new Map<string, number>()
  readonly #shared = new RecentCache<Brand>(sharedCharsMax, charsOf)
  #changes = 0

  /** The number of changes of all organizations. */
  get changes(): number {
    return this.#changes
  }

  /** The number of organizations that have changed their brand since the last `clear`. */
  get size(): number {
    return this.#changesOf.size
  }

  /** Returns the same object for the same brand of an organization. */
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

  /** Forgets everything. Only valid when no answer with a stamp is left. */
  clear(): void {
    this.#changes++
    this.#changesOf.clear()
    this.#shared.clear()
  }
}

function charsOf({ name = '', logo }: Brand): number {
  return 100 + name.length + (logo?.dataUri.length ?? 0)
}
