import { pick, type Random } from '@everscan/contract/testing/random.ts'
import type { Replica, StoredRows } from '../insert/replicated-batches.ts'
import { VirtualTime } from './virtual-time.ts'

/** A batch of the model. */
export type ModelBatch = { batchId: string; rows: number }

export type ModelOptions = {
  random: Random
  replicas: number
  /** How long a token is remembered. */
  windowMs: number
  /** How many replicas must have the rows before an insert is confirmed. */
  quorum: number
  /** Mean time until a replica fetches what others have. */
  lagMs: number
  /** Faults happen before this time; later, everything that can recover does. */
  faultsUntilMs: number
}

type Block = { name: string; batchId: string; rows: number; number: number; isLost: boolean }
type Deletion = { batchId: string; parts: readonly string[]; before: number }
type LogEntry = { block: Block } | { deletion: Deletion }

/** The client was killed right after an answer. */
export class Killed extends Error {}

const deadlineMs = 60_000
const quorumMs = 45_000
const minuteMs = 60_000

/**
 * A model of replicated tables, after the documentation of ClickHouse: what is agreed on (the log,
 * the tokens) is in Keeper, which never fails here. Each replica follows the log at its own speed,
 * fetches parts from replicas that have them, stops, starts, and may lose its disk. Ids of queries
 * are known to one server only. Requests and answers get lost, come twice, and arrive late.
 */
export class ReplicaModel {
  readonly time: VirtualTime
  readonly replicas: ModelReplica[]
  readonly log: LogEntry[] = []
  readonly options: ModelOptions
  readonly #tokens = new Map<string, { atMs: number; block: Block }>()
  #blocks = 0
  #waiting: (() => void)[] = []
  /** Workers and requests that are still under way. */
  underWay = 0
  /** The number of blocks that came twice: the only reason to delete any. */
  doubled = 0

  constructor(options: ModelOptions) {
    this.options = options
    this.time = new VirtualTime(options.faultsUntilMs - 40 * minuteMs)
    this.replicas = Array.from({ length: options.replicas }, () => new ModelReplica(this))
  }

  get majority(): number {
    return Math.floor(this.options.replicas / 2) + 1
  }

  get hasFaults(): boolean {
    return this.time.nowMs < this.options.faultsUntilMs
  }

  /** Whether a fault with this probability happens now. */
  fault(probability: number): boolean {
    return this.hasFaults && this.options.random() < probability
  }

  between(from: number, to: number): number {
    return from + this.options.random() * (to - from)
  }

  /** Commits a block, unless its token is remembered. Returns the block of the token. */
  commit({ batchId, rows }: ModelBatch, token: string): Block {
    const known = this.#tokens.get(token)
    if (known !== undefined && this.remembers(token)) return known.block
    const number = ++this.#blocks
    const block = { name: `part_${number}`, batchId, rows, number, isLost: false }
    this.#tokens.set(token, { atMs: this.time.nowMs, block })
    this.append({ block })
    return block
  }

  remembers(token: string): boolean {
    const known = this.#tokens.get(token)
    return known !== undefined && this.time.nowMs - known.atMs < this.options.windowMs
  }

  /** Commits a block again under a token that nobody knows. */
  double(batch: ModelBatch, token: string): Block {
    this.doubled++
    return this.commit(batch, `${token} again`)
  }

  /** Registers a deletion of what is stored so far. */
  commitDeletion(batchId: string, parts: readonly string[]): number {
    return this.append({ deletion: { batchId, parts, before: this.#blocks + 1 } })
  }

  append(entry: LogEntry): number {
    const length = this.log.push(entry)
    this.change()
    return length
  }

  /** Resolves with the next change of a server. */
  changed(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  change(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve()
  }

  /** Whether the replicas have everything that can still be had. */
  get isConverged(): boolean {
    return (
      this.underWay === 0 && this.replicas.every((replica) => replica.isUp && replica.isCaughtUp(Infinity))
    )
  }

  /** A block that no disk has any more is replaced by an empty one, as ClickHouse does. */
  forgetLost(): void {
    for (const entry of this.log)
      if ('block' in entry && !this.replicas.some((replica) => replica.has(entry.block)))
        entry.block.isLost = true
  }
}

/** One replica, which is also the server that clients call. */
export class ModelReplica implements Replica<ModelBatch> {
  readonly #model: ReplicaModel
  #isUp = true
  /** Grows with every stop: what ran before does not go on. */
  #life = 0
  /** How much of the log this replica knows. */
  #pulled = 0
  readonly #has = new Set<Block>()
  readonly #deleted = new Set<Block>()
  /** The ids of the inserts that run here. */
  readonly #running = new Set<string>()

  constructor(model: ReplicaModel) {
    this.#model = model
    void this.#follow()
  }

  get isUp(): boolean {
    return this.#isUp
  }

  has(block: Block): boolean {
    return this.#has.has(block)
  }

  insert(batch: ModelBatch, token: string): Promise<void> {
    return this.#request(() => this.#insert(batch, token))
  }

  count(batchId: string): Promise<StoredRows> {
    return this.#request(async () => {
      while (this.#running.has(batchId)) await this.#model.changed()
      return this.stored(batchId)
    })
  }

  catchUp(): Promise<void> {
    return this.#request(async () => {
      const upTo = this.#model.log.length
      while (!this.isCaughtUp(upTo)) await this.#model.changed()
    })
  }

  remove(batchId: string, parts: readonly string[]): Promise<void> {
    return this.#request(async () => {
      const upTo = this.#model.commitDeletion(batchId, parts)
      while (this.#pulled < upTo || this.#openDeletions(batchId).length > 0) await this.#model.changed()
    })
  }

  /** Stops the server for a while, or for good with its disk, which an empty one replaces. */
  async fail(ms: number, { isDiskLost }: { isDiskLost: boolean }): Promise<void> {
    if (!this.#isUp) return
    this.#isUp = false
    this.#life++
    this.#running.clear()
    if (isDiskLost) {
      this.#has.clear()
      this.#deleted.clear()
      this.#pulled = 0
      this.#model.forgetLost()
    }
    this.#model.change()
    await this.#model.time.sleep(ms)
    this.#isUp = true
    this.#model.change()
  }

  /** Whether this replica knows the log up to a length, and has its blocks. */
  isCaughtUp(upTo: number): boolean {
    const { log } = this.#model
    return (
      this.#pulled >= Math.min(upTo, log.length) &&
      this.#missing(upTo).length === 0 &&
      (upTo !== Infinity || this.#openDeletions().length === 0)
    )
  }

  /** The answer that the server would give now. */
  stored(batchId: string): StoredRows {
    const blocks = [...this.#has].filter((block) => block.batchId === batchId && !this.#deleted.has(block))
    return {
      rows: blocks.reduce((sum, { rows }) => sum + rows, 0),
      parts: blocks.map(({ name }) => name),
      isChanging: this.#openDeletions(batchId).length > 0,
    }
  }

  #missing(upTo: number): Block[] {
    return this.#model.log
      .slice(0, Math.min(upTo, this.#pulled))
      .flatMap((entry) => ('block' in entry ? [entry.block] : []))
      .filter((block) => !block.isLost && !this.#has.has(block))
  }

  /** Blocks of this replica that known deletions have yet to remove. */
  #openDeletions(batchId?: string): Block[] {
    const deletions = this.#model.log
      .slice(0, this.#pulled)
      .flatMap((entry) => ('deletion' in entry ? [entry.deletion] : []))
      .filter((deletion) => batchId === undefined || deletion.batchId === batchId)
    if (deletions.length === 0) return []
    return [...this.#has].filter(
      (block) =>
        !this.#deleted.has(block) &&
        deletions.some(
          (one) =>
            one.batchId === block.batchId && block.number < one.before && one.parts.includes(block.name),
        ),
    )
  }

  async #insert(batch: ModelBatch, token: string): Promise<void> {
    if (this.#running.has(batch.batchId)) throw new Error('code 216: a query with this id is running')
    const life = this.#life
    const { time, options, replicas } = this.#model
    this.#running.add(batch.batchId)
    try {
      await time.sleep(
        this.#model.fault(0.1) ? this.#model.between(1_000, 59_000) : this.#model.between(2, 50),
      )
      if (life !== this.#life) throw new Error('the server was stopped')
      const isNew = !this.#model.remembers(token)
      const block = this.#model.commit(batch, token)
      if (!this.#hasPeer(block)) this.#has.add(block)
      // A proxy sent the request twice, past the memory of tokens.
      if (isNew && this.#model.fault(0.06)) this.#has.add(this.#model.double(batch, token))
      this.#model.change()
      const late = time.sleep(quorumMs)
      const untilMs = time.nowMs + quorumMs
      // A block that is lost for good does not wait for anybody.
      while (!block.isLost && replicas.filter((one) => one.isUp && one.has(block)).length < options.quorum) {
        await Promise.race([this.#model.changed(), late])
        if (life !== this.#life) throw new Error('the server was stopped')
        if (time.nowMs >= untilMs) throw new Error('no quorum')
      }
    } finally {
      if (life === this.#life) this.#running.delete(batch.batchId)
      this.#model.change()
    }
  }

  /** Whether another replica has written the block, from which this one fetches it in its turn. */
  #hasPeer(block: Block): boolean {
    return block.isLost || this.#model.replicas.some((one) => one !== this && one.has(block))
  }

  /** Follows the log: one entry, one fetch or one deleted block after the other. */
  async #follow(): Promise<void> {
    const { time, log, options } = this.#model
    for (;;) {
      while (!this.#isUp || !this.#hasWork()) await this.#model.changed()
      await time.sleep(-Math.log(1 - options.random()) * (this.#model.hasFaults ? options.lagMs : 100))
      if (!this.#isUp) continue
      const [fetched, open] = [this.#fetchable(), this.#openDeletions()[0]]
      if (this.#pulled < log.length) this.#pulled++
      else if (fetched !== undefined) this.#has.add(fetched)
      else if (open !== undefined) this.#deleted.add(open)
      this.#model.change()
    }
  }

  #hasWork(): boolean {
    return (
      this.#pulled < this.#model.log.length ||
      this.#fetchable() !== undefined ||
      this.#openDeletions().length > 0
    )
  }

  #fetchable(): Block | undefined {
    return this.#missing(Infinity).find((block) =>
      this.#model.replicas.some((one) => one !== this && one.isUp && one.has(block)),
    )
  }

  /** A request over the network, as a client with a deadline sees it. */
  async #request<Result>(work: () => Promise<Result>): Promise<Result> {
    const { time } = this.#model
    await time.sleep(this.#model.between(0.5, 5))
    if (this.#model.fault(0.04)) throw new Error('the request was lost')
    if (!this.#isUp) throw new Error('connection refused')
    if (this.#model.fault(0.06)) {
      this.#model.underWay++
      void time
        .sleep(this.#model.between(0, deadlineMs))
        .then(() => (this.#isUp ? work() : undefined))
        .catch(() => undefined)
        .finally(() => this.#model.underWay--)
      await time.sleep(this.#model.between(10, deadlineMs))
      throw new Error('the connection was reset')
    }
    const life = this.#life
    this.#model.underWay++
    const working = work().finally(() => this.#model.underWay--)
    const result = await time.within(deadlineMs, working)
    if (life !== this.#life) throw new Error('the server was stopped')
    if (this.#model.fault(0.05)) throw new Error('the answer was lost')
    if (this.#model.fault(0.02)) throw new Killed()
    // The client is suspended, for seconds or for hours.
    if (this.#model.fault(0.03))
      await time.sleep(this.#model.between(0, pick(this.#model.options.random, [1, 20, 240])) * minuteMs)
    return result
  }
}
