import {
  countAttempt,
  forgetAttempts,
  readAttempts,
  type AttemptCount,
} from '../../catalogue/limits/limit-attempts.ts'
import { attemptWaitMs, tooManyAttempts, withAttempt, type Attempts } from '../attempt-limiter.ts'
import type { LimitSharing } from './limit-sharing.ts'

const knownMax = 100_000

/**
 * Failed attempts that several processes count together, in the catalogue. A process remembers for
 * how long an attempt has to wait, so that a client that does not wait costs no query.
 */
export class SharedAttempts implements Attempts {
  readonly #sharing: LimitSharing
  readonly #kind: string
  readonly #refused = new Map<string, AttemptCount>()

  constructor(sharing: LimitSharing, kind: string) {
    this.#sharing = sharing
    this.#kind = kind
  }

  async check(what: string, nowMs: number): Promise<void> {
    const holder = this.#holderOf(what)
    const atMs = this.#sharing.sharedMs(nowMs)
    this.#refuseKnown(holder, atMs)
    this.#refuse(holder, await readAttempts(this.#sharing.db, holder), atMs)
  }

  async begin(what: string, nowMs: number): Promise<void> {
    const holder = this.#holderOf(what)
    const atMs = this.#sharing.sharedMs(nowMs)
    this.#refuseKnown(holder, atMs)
    const before = await countAttempt(this.#sharing.db, holder, (known) =>
      attemptWaitMs(known, atMs) > 0 ? undefined : withAttempt(known, atMs),
    )
    this.#refuse(holder, before, atMs)
  }

  async succeed(what: string): Promise<void> {
    await forgetAttempts(this.#sharing.db, this.#holderOf(what))
  }

  #holderOf(what: string): string {
    return this.#sharing.hash(this.#kind, what)
  }

  #refuseKnown(holder: string, atMs: number): void {
    const known = this.#refused.get(holder)
    if (known === undefined) return
    if (attemptWaitMs(known, atMs) === 0) this.#refused.delete(holder)
    this.#refuse(holder, known, atMs)
  }

  #refuse(holder: string, known: AttemptCount | undefined, atMs: number): void {
    const waitMs = attemptWaitMs(known, atMs)
    if (known === undefined || waitMs === 0) return
    this.#refused.set(holder, known)
    const [oldest] = this.#refused.keys()
    if (this.#refused.size > knownMax && oldest !== undefined) this.#refused.delete(oldest)
    throw tooManyAttempts(Math.ceil(waitMs / 1000))
  }
}
