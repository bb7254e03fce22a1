import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { limits } from '@everscan/contract/schema/limits.ts'
import { RecentCache } from '../recent-cache.ts'

const rememberedMs = limits.accessRememberedMinutes * 60_000
const codesMax = 10_000

/**
 * The last right answers to hashes of passwords, so that a crowd at one code costs one slow check.
 * It keeps a keyed hash, whose key ends with this process. A changed password has another
 * hash, so what was right before is right no more. Bounds of tries come first: this memory tells a
 * guesser nothing sooner.
 */
export class RightAnswers {
  readonly #key = randomBytes(32)
  readonly #known = new RecentCache<{ answer: Buffer; untilMs: number }>(codesMax)
  readonly #clock: () => number

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
  }

  /** Whether `check` knows the answer. */
  knows(hash: string): boolean {
    return (this.#known.get(hash)?.untilMs ?? -Infinity) > this.#clock()
  }

  /** Whether a password is right; undefined if only a slow check tells. */
  check(password: string, hash: string): boolean | undefined {
    const known = this.#known.get(hash)
    if (known === undefined || !this.knows(hash)) return undefined
    return timingSafeEqual(known.answer, this.#answerOf(password))
  }

  add(password: string, hash: string): void {
    this.#known.set(hash, { answer: this.#answerOf(password), untilMs: this.#clock() + rememberedMs })
  }

  /** As the slow check, which takes equal forms of Unicode for one. */
  #answerOf(password: string): Buffer {
    return createHmac('sha256', this.#key).update(password.normalize('NFKC')).digest()
  }
}
