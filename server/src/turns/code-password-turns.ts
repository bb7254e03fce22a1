import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '@everscan/contract/schema/limits.ts'
import { CodeBrake, type CountedTry, type PasswordTry, type TryOutcome } from './code-brake.ts'
import { NoTurn, Turns, type TurnsLimits } from './turns.ts'

/** Whether a password may be checked now. */
export type TurnAnswer = { kind: 'go' } | { kind: 'limited'; retryAfterSeconds: number } | { kind: 'busy' }

/** A question of a front. `isFree`: it knows the answer without a slow check. */
export type PasswordQuestion = PasswordTry & { isFree: boolean }

/** A question and its front, as long as it is asked. */
export type AskedBy = { owner: unknown; id: number }

/** A check waits this long for those of its own network, and then for its turn. */
const waitMs = limits.accessWaitSeconds * 1000
const machineLimits: TurnsLimits = {
  atOnceMax: limits.accessChecksMax,
  waitingMax: 1_000,
  waitMsMax: waitMs,
}

type Begun = { key: string; counted: CountedTry; endTurn: () => void }

/**
 * Decides for all fronts of a machine which password of a code is checked when: `CodeBrake` bounds
 * the tries, and the slow checks take turns by organization, code and network.
 */
export class CodePasswordTurns {
  readonly turns = new Turns('passwords_of_codes', machineLimits)
  readonly #brake = new CodeBrake()
  readonly #clock: () => number
  /** Replaces the wait of new networks. */
  readonly #newWaitMs: number | undefined
  readonly #begun = new Map<unknown, Map<number, Begun>>()
  /** Tries that wait for others of their network, the first first. */
  readonly #undecided = new Map<string, Set<() => void>>()

  constructor({ clock = Date.now, newWaitMs }: { clock?: () => number; newWaitMs?: number } = {}) {
    this.#clock = clock
    this.#newWaitMs = newWaitMs
  }

  /** Resolves with the answer. After `go`, the owner must call `end`. */
  async begin(asked: PasswordQuestion, by: AskedBy): Promise<TurnAnswer> {
    const { organizationId, qrCodeId, version, network } = asked
    const key = [organizationId, qrCodeId, version, network].join(' ')
    const counted = await this.#decide(key, asked)
    if (counted.kind !== 'go') return counted
    const begun: Begun = { key, counted, endTurn: () => undefined }
    const ofOwner = this.#begun.get(by.owner) ?? new Map<number, Begun>()
    this.#begun.set(by.owner, ofOwner.set(by.id, begun))
    if (counted.delayMs > 0) await sleep(this.#newWaitMs ?? counted.delayMs)
    if (asked.isFree) return { kind: 'go' }
    try {
      begun.endTurn = await this.turns.take([organizationId, qrCodeId, network])
    } catch (error) {
      if (!(error instanceof NoTurn)) throw error
      this.end(by, 'unchecked')
      return { kind: 'busy' }
    }
    // Its owner may be gone.
    if (ofOwner.get(by.id) !== begun) begun.endTurn()
    return { kind: 'go' }
  }

  end({ owner, id }: AskedBy, outcome: TryOutcome): void {
    const begun = this.#begun.get(owner)?.get(id)
    if (begun === undefined) return
    this.#begun.get(owner)?.delete(id)
    begun.endTurn()
    begun.counted.end(outcome, this.#clock())
    this.#wake(begun.key)
  }

  /** Ends the checks of an owner that is gone. */
  forget(owner: unknown): void {
    for (const id of this.#begun.get(owner)?.keys() ?? []) this.end({ owner, id }, 'unchecked')
    this.#begun.delete(owner)
  }

  async #decide(key: string, asked: PasswordTry): Promise<CountedTry | Exclude<TurnAnswer, { kind: 'go' }>> {
    const untilMs = performance.now() + waitMs
    for (;;) {
      const answer = this.#brake.begin(asked, this.#clock())
      if (answer.kind === 'go') return answer
      if (answer.kind === 'limited') {
        // The next one may be limited as well.
        this.#wake(key)
        return answer
      }
      if (performance.now() >= untilMs) return { kind: 'busy' }
      await this.#woken(key, untilMs)
    }
  }

  #woken(key: string, untilMs: number): Promise<void> {
    const waiting = this.#undecided.get(key) ?? new Set()
    this.#undecided.set(key, waiting)
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer)
        waiting.delete(wake)
        if (waiting.size === 0) this.#undecided.delete(key)
        resolve()
      }
      const timer = setTimeout(wake, untilMs - performance.now())
      waiting.add(wake)
    })
  }

  #wake(key: string): void {
    const [first] = this.#undecided.get(key) ?? []
    first?.()
  }
}
