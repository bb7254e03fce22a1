import type { ChangeFeed } from '../db/feeds/changes.ts'
import type { ScanLookup } from '../db/scans/scan-lookup.ts'
import { errorMessage } from '../errors.ts'
import type { Log } from '../log.ts'
import { AnswerMemory } from './answer-memory.ts'
import type { ScanAnswer } from './scan-answer.ts'

type Options = {
  lookup: ScanLookup['lookup']
  changes: Pick<ChangeFeed, 'poll' | 'catchUp'>
  log: Log
  /** Redirects in memory, or as much in pages. */
  entriesMax?: number
  pollMs?: number
}

const defaults = { entriesMax: 200_000, pollMs: 250 }

/** A look-up that takes so long to fail is not tried again for each scan. */
const hangMs = 100

export function startResolver(options: Options): Resolver {
  const resolver = new Resolver(options)
  resolver.start()
  return resolver
}

/** Known codes are kept in memory and go on being served when the catalogue is away; so are codes that do not exist. */
export class Resolver {
  readonly #options: Required<Options>
  readonly #memory: AnswerMemory
  /** Look-ups under way. One that is not here any more may have read what stood before a change. */
  readonly #asked = new Map<string, Promise<ScanAnswer>>()
  readonly #counts = { hits: 0, misses: 0, failures: 0 }
  #timer: NodeJS.Timeout | undefined
  #hasPolledThisTurn = false
  #catchingUp: Promise<boolean> | undefined
  #isFailing = false
  /** A change may have been answered whose codes are not known here: no answer in memory is given without asking. */
  #isSuspect = false
  /** Until then the catalogue counts as away, as a look-up just hung and failed: scans do not wait for it one by one. */
  #awayUntilMs = 0

  constructor(options: Options) {
    this.#options = { ...defaults, ...options }
    this.#memory = new AnswerMemory(this.#options.entriesMax)
  }

  /** A feed that cannot be read in each turn of the event loop is read by a timer. */
  start(): void {
    const { changes, pollMs } = this.#options
    if (changes.poll === undefined) this.#timer = setInterval(() => void this.#catchUpNow(), pollMs).unref()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  stats(): { entries: number; hits: number; misses: number; failures: number } {
    return { entries: this.#memory.size, ...this.#counts }
  }

  /** The answer for a canonical code. A promise that rejects: the catalogue is away and the code is not in memory. */
  resolve(code: string): ScanAnswer | Promise<ScanAnswer> {
    const { poll } = this.#options.changes
    if (poll !== undefined) this.#pollOncePerTurn(poll)
    const answer = this.#memory.get(code)
    if (answer === undefined) return this.#asked.get(code) ?? this.#ask(code)
    if (this.#isSuspect || !this.#memory.isCurrent(answer)) return this.#askFirst(code, answer)
    this.#counts.hits++
    return answer
  }

  /** Moves the memory forward to everything committed so far. */
  async catchUp(): Promise<void> {
    // One that is under way may have read before the caller's commit; a new one begins after it.
    if (this.#catchingUp !== undefined) await this.#catchingUp
    // The change is committed, and its answer is passed on all the same: until the changes are known, every scan asks.
    // The timer does not do this, as without a change what is in memory holds while the catalogue is away.
    if (!(await this.#catchUpNow())) this.#suspectAll()
  }

  #catchUpNow(): Promise<boolean> {
    this.#catchingUp ??= this.#catchUpOnce().finally(() => {
      this.#catchingUp = undefined
    })
    return this.#catchingUp
  }

  async #catchUpOnce(): Promise<boolean> {
    try {
      this.#forget(await this.#options.changes.catchUp())
      this.#setAvailable()
      return true
    } catch (error) {
      this.#pollFailed(error)
      return false
    }
  }

  #pollOncePerTurn(poll: () => readonly string[]): void {
    if (this.#hasPolledThisTurn) return
    this.#hasPolledThisTurn = true
    setImmediate(this.#endTurn)
    try {
      const changed = poll()
      if (changed.length > 0) this.#forget(changed)
      this.#setAvailable()
    } catch (error) {
      this.#pollFailed(error)
      this.#suspectAll()
    }
  }

  readonly #endTurn = (): void => {
    this.#hasPolledThisTurn = false
  }

  #ask(code: string): ScanAnswer | Promise<ScanAnswer> {
    this.#counts.misses++
    let found: ReturnType<ScanLookup['lookup']>
    try {
      found = this.#options.lookup(code)
    } catch (error) {
      return Promise.reject(error)
    }
    if (!(found instanceof Promise)) return this.#remember(code, found)
    const changesBefore = this.#memory.brandChanges
    const answer: Promise<ScanAnswer> = found.then(
      (target) => {
        const isOvertaken = !this.#endAsking(code, answer) || this.#memory.brandChanges !== changesBefore
        return isOvertaken ? this.#memory.prepare(target) : this.#remember(code, target)
      },
      (error: unknown) => {
        this.#endAsking(code, answer)
        throw error
      },
    )
    this.#asked.set(code, answer)
    return answer
  }

  /** False: a change overtook the look-up, whose answer is given and not remembered. */
  #endAsking(code: string, answer: Promise<ScanAnswer>): boolean {
    return this.#asked.get(code) === answer && this.#asked.delete(code)
  }

  /** The answer in memory once the catalogue has failed to give the one that holds now. */
  #askFirst(code: string, answer: ScanAnswer): ScanAnswer | Promise<ScanAnswer> {
    if (performance.now() < this.#awayUntilMs) return answer
    const fromMs = performance.now()
    const fresh = this.#asked.get(code) ?? this.#ask(code)
    if (!(fresh instanceof Promise)) return fresh
    return fresh.catch(() => {
      const nowMs = performance.now()
      if (nowMs - fromMs > hangMs) this.#awayUntilMs = nowMs + this.#options.pollMs
      return answer
    })
  }

  #remember(...found: Parameters<AnswerMemory['remember']>): ScanAnswer {
    const answer = this.#memory.remember(...found)
    this.#awayUntilMs = 0
    return answer
  }

  #forget(changed: readonly string[]): void {
    if (this.#memory.forget(changed)) this.#asked.clear()
    else for (const code of changed) this.#asked.delete(code)
  }

  #setAvailable(): void {
    this.#isFailing = false
    this.#isSuspect = false
    this.#awayUntilMs = 0
  }

  #suspectAll(): void {
    this.#isSuspect = true
    this.#asked.clear()
  }

  #pollFailed(error: unknown): void {
    this.#counts.failures++
    const what = 'catalogue changes cannot be read; known codes go on being served'
    if (!this.#isFailing) this.#options.log.error({ error: errorMessage(error) }, what)
    this.#isFailing = true
  }
}
