import type { ChangeFeed } from '../db/feeds/changes.ts'
import type { ScanLookup } from '../db/scans/scan-lookup.ts'
import { errorMessage } from '../errors.ts'
import type { Log } from '../log.ts'
import { AnswerMemory } from './answer-memory.ts'
import type { Hosts } from './hosts/hosts.ts'
import type { CreateSplit } from '../rules/splits.ts'
import type { ScanAnswer } from './scan-answer.ts'
import type { SiteHeaders } from './site-headers.ts'

type Options = {
  lookup: ScanLookup['lookup']
  changes: Pick<ChangeFeed, 'poll' | 'catchUp' | 'follow'>
  log: Log
  /** The host names that are domains; default: none. They follow the same feed. */
  hosts?: Pick<Hosts, 'refresh'>
  /** The limit of the redirects in memory, or of as much memory in pages. */
  entriesMax?: number
  pollMs?: number
  /** Headers of every redirect. */
  siteHeaders?: SiteHeaders
  /** Divides visitors among the arms of rules. */
  createSplit?: CreateSplit
  /** Called with each result of the feed that has entries. */
  onChanged?: (entries: readonly string[]) => void
}

/** Without a key, every visitor gets the first arm: only tests have none. */
const firstArm: CreateSplit = () => () => 0

const noHosts: Pick<Hosts, 'refresh'> = { refresh: () => undefined }

const defaults = {
  hosts: noHosts,
  entriesMax: 200_000,
  pollMs: 250,
  siteHeaders: [],
  createSplit: firstArm,
  onChanged: () => undefined,
}

/** A lookup that takes this long to fail is not repeated for each scan. */
const hangMs = 100
/**
 * Changes that are not known after this time count as unknown. Together with `stallMs` it must be
 * shorter than a front waits for the others of its machine: see `roundMsMax`.
 */
const knowMsMax = 200
/**
 * A front whose event loop stood still for this long may have missed that another front waited for
 * it.
 */
const stallMs = 750

export function startResolver(options: Options): Resolver {
  const resolver = new Resolver(options)
  resolver.start()
  return resolver
}

/**
 * The answers to scans of codes. Known codes, and codes that do not exist, are kept in memory and
 * still served while the catalogue is unavailable.
 */
export class Resolver {
  readonly #options: Required<Options>
  readonly #memory: AnswerMemory
  /**
   * Lookups in progress. One that was removed from here may have read the state before a change.
   */
  readonly #asked = new Map<string, Promise<ScanAnswer>>()
  readonly #counts = { hits: 0, misses: 0, failures: 0 }
  #timer: NodeJS.Timeout | undefined
  #hasPolledThisTurn = false
  #catchingUp: Promise<boolean> | undefined
  #isFailing = false
  #isNoticed = false
  /**
   * Since when a change may have been answered whose codes are unknown here: until the changes are
   * read, no answer in memory is given without a lookup first.
   */
  #suspectSinceMs: number | undefined
  #settling: Promise<void> | undefined
  /** When the event loop was last seen to turn. */
  #awakeAtMs = performance.now()
  /**
   * Until this time the catalogue counts as unavailable, because a lookup just hung and failed.
   * Scans then do not wait for it one by one.
   */
  #awayUntilMs = 0

  constructor(options: Options) {
    this.#options = { ...defaults, ...options }
    this.#memory = new AnswerMemory(this.#options.entriesMax, this.#options)
  }

  /** Starts a timer if the feed cannot be read in each turn of the event loop. */
  start(): void {
    const { changes, pollMs } = this.#options
    this.#awakeAtMs = performance.now()
    if (changes.poll === undefined) this.#timer = setInterval(this.#tick, pollMs).unref()
    changes.follow?.(() => void this.#catchUpAfterNotice())
  }

  close(): void {
    clearInterval(this.#timer)
  }

  stats(): { entries: number; hits: number; misses: number; failures: number } {
    return { entries: this.#memory.size, ...this.#counts }
  }

  /**
   * Returns the answer for the key of a code. The promise rejects if the catalogue is unavailable
   * and the code is not in memory.
   */
  resolve(code: string): ScanAnswer | Promise<ScanAnswer> {
    this.readChanges()
    const answer = this.#memory.get(code)
    if (answer === undefined) return this.#asked.get(code) ?? this.#ask(code)
    if (this.#suspectSinceMs !== undefined || !this.#memory.isCurrent(answer))
      return this.#askFirst(code, answer)
    this.#counts.hits++
    return answer
  }

  /**
   * Reads the changes on SQLite, once in each turn of the event loop. On PostgreSQL, notices that
   * the event loop stood still.
   */
  readChanges(): void {
    const { poll } = this.#options.changes
    if (poll !== undefined) this.#pollOncePerTurn(poll)
    else if (performance.now() - this.#awakeAtMs > stallMs) this.#suspectAfterStall()
  }

  /**
   * Returns a promise if memory may be older than a change that was answered. It ends when the
   * changes are known, or when it shows that the catalogue cannot tell them.
   */
  settle(): Promise<void> | undefined {
    this.readChanges()
    if (this.#suspectSinceMs === undefined || this.#options.changes.poll !== undefined) return undefined
    if (performance.now() < this.#awayUntilMs) return undefined
    this.#settling ??= this.knowChanges().then(() => {
      this.#settling = undefined
      if (this.#suspectSinceMs !== undefined) this.#awayUntilMs = performance.now() + this.#options.pollMs
    })
    return this.#settling
  }

  /** Brings the memory up to date with everything committed so far. */
  async catchUp(): Promise<void> {
    // One in progress may have read before the caller's commit; a new one begins after it.
    if (this.#catchingUp !== undefined) await this.#catchingUp
    // The change is committed, and its response is passed on nevertheless: until the changes are
    // known, every scan queries the catalogue. The timer does not do this, because without a change
    // the memory remains valid while the catalogue is unavailable.
    if (!(await this.#catchUpNow())) this.#suspectAll()
  }

  /**
   * After it, no scan is answered as before a change that was committed before the call, although
   * the catalogue may not tell the changes in time.
   */
  async knowChanges(): Promise<void> {
    const fromMs = performance.now()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        this.#suspectAll(fromMs)
        resolve()
      }, knowMsMax)
    })
    await Promise.race([this.catchUp(), late])
    clearTimeout(timer)
  }

  readonly #tick = (): void => {
    if (performance.now() - this.#awakeAtMs > stallMs) this.#suspectAfterStall()
    this.#awakeAtMs = performance.now()
    void this.#catchUpNow()
  }

  /** Another front may have answered a change without waiting longer for this one. */
  #suspectAfterStall(): void {
    this.#awakeAtMs = performance.now()
    this.#suspectAll()
    void this.catchUp()
  }

  /** Notices that come meanwhile are about changes that this catch-up reads, or the next one. */
  async #catchUpAfterNotice(): Promise<void> {
    if (this.#isNoticed) return
    this.#isNoticed = true
    if (this.#catchingUp !== undefined) await this.#catchingUp
    this.#isNoticed = false
    await this.#catchUpNow()
  }

  #catchUpNow(): Promise<boolean> {
    this.#catchingUp ??= this.#catchUpOnce().finally(() => {
      this.#catchingUp = undefined
    })
    return this.#catchingUp
  }

  async #catchUpOnce(): Promise<boolean> {
    const fromMs = performance.now()
    try {
      const changed = await this.#options.changes.catchUp()
      this.#forget(changed)
      await this.#options.hosts.refresh(changed)
      this.#setAvailable(fromMs)
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
      void this.#options.hosts.refresh(changed)
      this.#setAvailable(Infinity)
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

  /**
   * Ends a lookup. Returns false if a change overtook it: its answer is then given but not
   * remembered.
   */
  #endAsking(code: string, answer: Promise<ScanAnswer>): boolean {
    return this.#asked.get(code) === answer && this.#asked.delete(code)
  }

  /**
   * Returns the current answer, or the one in memory if the catalogue fails to give the current
   * one.
   */
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
    if (changed.length > 0) this.#options.onChanged(changed)
    if (this.#memory.forget(changed)) this.#asked.clear()
    else for (const code of changed) this.#asked.delete(code)
  }

  /** The changes until this time are known. */
  #setAvailable(untilMs: number): void {
    this.#isFailing = false
    this.#awayUntilMs = 0
    if (this.#suspectSinceMs !== undefined && this.#suspectSinceMs <= untilMs)
      this.#suspectSinceMs = undefined
  }

  #suspectAll(sinceMs = performance.now()): void {
    this.#suspectSinceMs = Math.max(sinceMs, this.#suspectSinceMs ?? sinceMs)
    this.#asked.clear()
  }

  #pollFailed(error: unknown): void {
    this.#counts.failures++
    const what = 'catalogue changes cannot be read; known codes go on being served'
    if (!this.#isFailing) this.#options.log.error({ error: errorMessage(error) }, what)
    this.#isFailing = true
  }
}
