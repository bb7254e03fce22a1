/** Whether a password may be checked now. */
export type TurnAnswer = { kind: 'go' } | { kind: 'limited'; retryAfterSeconds: number } | { kind: 'busy' }

/** The limits of checks of passwords; see `limits` of the contract. */
export type TurnLimits = {
  /** Checks at once. */
  checksMax: number
  /** How long a check may wait for its turn. */
  waitMs: number
  /** Wrong passwords of one key within the window. */
  wrongMax: number
  windowMs: number
}

type Waiting = { key: string; owner: unknown; answer: (answer: TurnAnswer) => void; timer: NodeJS.Timeout }

/** Keys with wrong passwords that are remembered; the oldest are forgotten first. */
const keysMax = 50_000

/**
 * Gives turns to checks of passwords, of which few run at once because each is slow on purpose, and
 * stops a key (a code and a network) that had too many wrong ones. Checks that run count as wrong
 * until they end, so many at once are no way around the limit.
 */
export class PasswordTurns {
  readonly #limits: TurnLimits
  readonly #clock: () => number
  readonly #wrong = new Map<string, number[]>()
  readonly #running = new Map<string, number>()
  readonly #ofOwner = new Map<unknown, string[]>()
  #waiting: Waiting[] = []
  #runningCount = 0

  constructor(limits: TurnLimits, clock: () => number = Date.now) {
    this.#limits = limits
    this.#clock = clock
  }

  /** Calls `answer` once. After `go`, the owner must call `end`. */
  begin(key: string, owner: unknown, answer: (answer: TurnAnswer) => void): void {
    const timer = setTimeout(() => {
      this.#waiting = this.#waiting.filter((one) => one !== waiting)
      answer({ kind: 'busy' })
    }, this.#limits.waitMs)
    const waiting: Waiting = { key, owner, answer, timer }
    this.#waiting.push(waiting)
    this.#next()
  }

  end(key: string, owner: unknown, isRight: boolean): void {
    const keys = this.#ofOwner.get(owner) ?? []
    const at = keys.indexOf(key)
    if (at < 0) return
    keys.splice(at, 1)
    this.#release(key)
    if (!isRight) this.#addWrong(key)
    this.#next()
  }

  /** Ends the checks of an owner that is gone. */
  forget(owner: unknown): void {
    for (const { timer } of this.#waiting.filter((one) => one.owner === owner)) clearTimeout(timer)
    this.#waiting = this.#waiting.filter((one) => one.owner !== owner)
    for (const key of this.#ofOwner.get(owner) ?? []) this.#release(key)
    this.#ofOwner.delete(owner)
    this.#next()
  }

  #next(): void {
    const stay: Waiting[] = []
    for (const waiting of this.#waiting) {
      const answer = this.#answerFor(waiting)
      if (answer === undefined) {
        stay.push(waiting)
        continue
      }
      clearTimeout(waiting.timer)
      waiting.answer(answer)
    }
    this.#waiting = stay
  }

  /** Undefined: it waits on. */
  #answerFor({ key, owner }: Waiting): TurnAnswer | undefined {
    const { checksMax, wrongMax, windowMs } = this.#limits
    const nowMs = this.#clock()
    const wrong = (this.#wrong.get(key) ?? []).filter((atMs) => atMs > nowMs - windowMs)
    if (wrong.length >= wrongMax) {
      const untilMs = (wrong[0] ?? nowMs) + windowMs
      return { kind: 'limited', retryAfterSeconds: Math.ceil((untilMs - nowMs) / 1000) }
    }
    const running = this.#running.get(key) ?? 0
    if (this.#runningCount >= checksMax || wrong.length + running >= wrongMax) return undefined
    this.#runningCount++
    this.#running.set(key, running + 1)
    this.#ofOwner.set(owner, [...(this.#ofOwner.get(owner) ?? []), key])
    return { kind: 'go' }
  }

  #release(key: string): void {
    this.#runningCount--
    const running = (this.#running.get(key) ?? 1) - 1
    if (running === 0) this.#running.delete(key)
    else this.#running.set(key, running)
  }

  #addWrong(key: string): void {
    const { wrongMax } = this.#limits
    const times = [...(this.#wrong.get(key) ?? []), this.#clock()].slice(-wrongMax)
    this.#wrong.delete(key)
    this.#wrong.set(key, times)
    const [oldest] = this.#wrong.keys()
    if (this.#wrong.size > keysMax && oldest !== undefined) this.#wrong.delete(oldest)
  }
}
