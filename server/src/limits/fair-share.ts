import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import type { PlaceMaxima } from '@everscan/contract/schema/limits.ts'
import { ApiError } from '../errors.ts'
import type { HeldPlaces } from '../catalogue/limits/limit-places.ts'
import type { PlaceHolder } from '../catalogue/organizations/callers.ts'

export type FairShareOptions = PlaceMaxima & {
  /** The plural for messages, such as "downloads". */
  noun: string
}

/** Places that requests hold for a while: of this process, or of all that share a catalogue. */
export type Places = {
  /**
   * Takes a place until the returned function is called, at least once. Throws ApiError 429 with
   * the bound that the holder has reached.
   */
  take: (holder: PlaceHolder) => (() => void) | Promise<() => void>
}

/** From here on, an organization may hold no more than its fair share. */
const scarceFrom = 3 / 4
/** From here on, only organizations without a place get one. */
const reservedFrom = 9 / 10
const retryAfterSeconds = 5

/**
 * Counts places that requests hold for a while, such as open streams or downloads, in the memory of
 * this process. Bounds them by key or session, by account over all of its organizations and keys,
 * by organization and in total. When places are scarce, an organization may hold at most the total
 * divided by the organizations that hold any, plus one. The last places are for organizations
 * without any, so one that comes late gets a place. Memory is bounded by the places in use.
 * `SharedPlaces` counts those of several processes together, except for the total.
 */
export class FairShare implements Places {
  readonly #options: FairShareOptions
  readonly #byHolder = new Map<string, number>()
  readonly #byAccount = new Map<string, number>()
  readonly #byOrganization = new Map<string, number>()
  #used = 0

  constructor(options: FairShareOptions) {
    this.#options = options
  }

  take(holder: PlaceHolder): () => void {
    const reached = this.#boundReached(holder)
    if (reached !== undefined) throw tooManyPlaces(reached)
    this.#count(holder, 1)
    let isHeld = true
    return () => {
      if (isHeld) this.#count(holder, -1)
      isHeld = false
    }
  }

  #boundReached(holder: PlaceHolder): Problem | undefined {
    const { noun: places, totalMax } = this.#options
    const ofOrganization = this.#byOrganization.get(holder.organizationId) ?? 0
    const reached = ownBoundReached(this.#options, holder, {
      ofHolder: this.#byHolder.get(holderId(holder)) ?? 0,
      ofAccount: (holder.userId !== null && this.#byAccount.get(holder.userId)) || 0,
      ofOrganization,
    })
    if (reached !== undefined) return reached
    if (this.#used >= totalMax) return problem('placesOfServiceTaken', { count: totalMax, places })
    // The first place of an organization: only the total bounds it.
    if (ofOrganization === 0) return undefined
    const share = Math.max(1, Math.floor(totalMax / (this.#byOrganization.size + 1)))
    const isOverShare = this.#used >= totalMax * scarceFrom && ofOrganization >= share
    if (isOverShare || this.#used >= totalMax * reservedFrom)
      return problem('fairShareTaken', { count: ofOrganization, places })
    return undefined
  }

  #count(holder: PlaceHolder, by: 1 | -1): void {
    this.#used += by
    add(this.#byHolder, holderId(holder), by)
    if (holder.userId !== null) add(this.#byAccount, holder.userId, by)
    add(this.#byOrganization, holder.organizationId, by)
  }
}

/** Returns the problem if a key, an account or an organization has all places that it may have. */
export function ownBoundReached(
  { noun: places, keyMax, accountMax, organizationMax }: FairShareOptions,
  { keyId }: PlaceHolder,
  { ofHolder, ofAccount, ofOrganization }: HeldPlaces,
): Problem | undefined {
  const isKey = keyId !== undefined
  if (ofHolder >= keyMax)
    return problem(isKey ? 'placesOfKeyTaken' : 'placesOfSessionTaken', { count: ofHolder, places })
  if (ofAccount >= accountMax)
    return problem(isKey ? 'placesOfKeyOwnerTaken' : 'placesOfAccountTaken', { count: ofAccount, places })
  if (ofOrganization >= organizationMax)
    return problem('placesOfOrganizationTaken', { count: ofOrganization, places })
  return undefined
}

/** The answer to a request for a place beyond a bound. */
export function tooManyPlaces(reached: Problem): ApiError {
  return new ApiError(429, 'RATE_LIMITED', reached, {
    headers: { 'retry-after': String(retryAfterSeconds) },
  })
}

/** Returns the id of the key or session. */
export function holderId({ keyId, sessionId }: PlaceHolder): string {
  return keyId ?? sessionId ?? ''
}

function add(counts: Map<string, number>, id: string, by: 1 | -1): void {
  const count = (counts.get(id) ?? 0) + by
  if (count === 0) counts.delete(id)
  else counts.set(id, count)
}
