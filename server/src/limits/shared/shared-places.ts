import type { Problem } from '@everscan/contract/problems/problem.ts'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePlaces, holdPlace, keepPlaces, type LimitPlace } from '../../catalogue/limits/limit-places.ts'
import type { PlaceHolder } from '../../catalogue/organizations/callers.ts'
import {
  FairShare,
  holderId,
  ownBoundReached,
  tooManyPlaces,
  type FairShareOptions,
  type Places,
} from '../fair-share.ts'
import type { LimitSharing } from './limit-sharing.ts'

/** Places that end at about the same time are given back together. */
const gatherMs = 20

/**
 * Places of which a key, an account and an organization have as many as allowed on all machines
 * together. The total bounds the memory of a process, so each has its own.
 */
export class SharedPlaces implements Places {
  readonly #sharing: LimitSharing
  readonly #options: FairShareOptions
  readonly #own: FairShare
  readonly #held = new Map<string, LimitPlace>()
  readonly #ended = new Set<string>()
  #isFreeing = false

  constructor(sharing: LimitSharing, options: FairShareOptions) {
    this.#sharing = sharing
    this.#options = options
    this.#own = new FairShare(options)
    sharing.beforeRenewal(() => this.#settle())
  }

  async take(holder: PlaceHolder): Promise<() => void> {
    const giveBack = this.#own.take(holder)
    const place = this.#placeOf(holder)
    const { id } = place
    let reached: Problem | undefined
    try {
      reached = await this.#hold(place, holder)
      // Places that ended a moment ago still count: here until now, on other machines for longer.
      for (const waitMs of [0, 2 * gatherMs]) {
        if (reached === undefined) break
        await this.#free()
        await sleep(waitMs)
        reached = await this.#hold(place, holder)
      }
    } catch (error) {
      giveBack()
      // Without an answer, the place may have been taken.
      this.#ended.add(id)
      throw error
    }
    if (reached !== undefined) {
      giveBack()
      throw tooManyPlaces(reached)
    }
    this.#held.set(id, place)
    return () => {
      giveBack()
      if (this.#held.delete(id)) this.#end(id)
    }
  }

  /** Returns the bound that is reached, if the place cannot be taken. */
  async #hold(place: LimitPlace, holder: PlaceHolder): Promise<Problem | undefined> {
    let reached: Problem | undefined
    await holdPlace(this.#sharing.db, place, (held) => {
      reached = ownBoundReached(this.#options, holder, held)
      return reached === undefined
    })
    return reached
  }

  #placeOf(holder: PlaceHolder): LimitPlace {
    return {
      id: randomUUID(),
      member: this.#sharing.name,
      kind: this.#options.noun,
      holder: holderId(holder),
      account: holder.userId,
      organizationId: holder.organizationId,
    }
  }

  #end(id: string): void {
    this.#ended.add(id)
    if (!this.#isFreeing) void this.#freeSoon()
  }

  async #freeSoon(): Promise<void> {
    this.#isFreeing = true
    try {
      do {
        await sleep(gatherMs, undefined, { ref: false })
        await this.#free()
      } while (this.#ended.size > 0)
    } catch {
      // The next renewal gives them back.
    } finally {
      this.#isFreeing = false
    }
  }

  async #free(): Promise<void> {
    const ids = [...this.#ended]
    await freePlaces(this.#sharing.db, ids)
    for (const id of ids) this.#ended.delete(id)
  }

  /** The others may have ended the lease of this process, and its places with it. */
  async #settle(): Promise<void> {
    if (this.#ended.size > 0) await this.#free()
    if (this.#sharing.isAwaySince(Infinity)) await keepPlaces(this.#sharing.db, [...this.#held.values()])
  }
}
