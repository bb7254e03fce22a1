// One seed decides every event: scans, kills of fronts and workers at any call, lost and late
// answers, power loss, failing disks and steps of the clock. Journal, limits, reader, ingest and
// catalogue are the product's own code.
import { randomFrom } from '@everscan/contract/testing/random.ts'
import type { ClickHouse } from '../../analytics/store/clickhouse.ts'
import type { Database } from '../../db/database.ts'
import { insertCode } from '../../db/testing/codes.ts'
import type { Fault } from '../../journal/testing/faulty-io.ts'
import { MemoryDisk } from '../../journal/testing/journal.ts'
import type { LimitCounters, LimitTime } from '../../scan/access/scan-limits.ts'
import { ingestCalls, type IngestCalls } from '../clickhouse/ingest-calls.ts'
import { writerJournal, type IngestContext, type WriterJournal } from '../ingest-context.ts'
import { emptyStats } from '../ingest-stats.ts'
import { KeptRows } from '../clickhouse/kept-rows.ts'
import { countDueUniques } from '../clickhouse/uniques.ts'
import { ingestNext } from '../clickhouse/ingest-next.ts'
import { silentLog, testGeography } from './ingest.ts'
import { MemoryStore } from './memory-store.ts'
import { problemsOfCounters, problemsOfLimit, problemsOfScans } from './simulated-ledger.ts'
import {
  limitCountersOf,
  neverSyncs,
  SimulatedFront,
  someTurns,
  type SimulatedScan,
} from './simulated-front.ts'

/** A fault of the product put in on purpose, or a disk that claims what it has not written. */
export type Planted = {
  calls?: (calls: IngestCalls, store: MemoryStore, others: Others) => Partial<IngestCalls>
  counters?: (counters: LimitCounters, others: Others) => Partial<LimitCounters>
  answersEarly?: boolean
  losesSyncs?: boolean
}
/** The catalogue, and the organizations that have a code of one id: planted faults confuse them. */
type Others = { db: Database; organizations: readonly string[] }

/** A journal of one start of a front. Its reader knows nothing after the worker was killed. */
type Writer = { dir: string; reader: WriterJournal }
/** A worker that hangs at a call, and what lets it go on. */
type Hanging = { pass: Promise<string>; resume: () => void }

export type Outcome = { trace: string[]; problems: string[]; kills: number }

const steps = 40
const frontsCount = 2
const faultChance = 0.12
const scanLimit = 12
/** Scans at both sides of a month's end, in a batch of each. */
const startMs = Date.UTC(2026, 2, 31, 23, 59, 30)
const hourMs = 3_600_000
const dir = (index: number): string => `/journal/front-${index}`
/** Calls of the catalogue whose request or answer may come late, while another worker goes on. */
const lateCalls = new Set(['saveIntents', 'commitBatch', 'saveCheckpoint'])

/** Runs one seed to its end, recovers without faults, and compares with what was answered. */
export async function simulate(db: Database, seed: number, planted: Planted = {}): Promise<Outcome> {
  return await new Simulation(db, seed, planted).run()
}

let runs = 0

class Simulation {
  readonly #random
  readonly #db
  readonly #planted
  /** Two organizations have a code of this id. That of the second one has a limit. */
  readonly #code = `sim${runs++}`
  readonly #codes = ['a', 'b'].map((owner) => ({
    organizationId: `${this.#code}${owner}`,
    qrCodeId: this.#code,
  }))
  readonly #store = new MemoryStore()
  readonly #fronts: SimulatedFront[] = []
  readonly #writers: Writer[] = []
  readonly #scans: SimulatedScan[] = []
  readonly #hanging: Hanging[] = []
  readonly #ticks = new Set<() => void>()
  readonly #outcome: Outcome = { trace: [], problems: [], kills: 0 }
  readonly #calls: IngestCalls
  readonly #counters: LimitCounters
  /** Only what was synced survives a loss of power, so only then it is answered. */
  readonly #losesPower: boolean
  #isFaulty = true
  #nowMs = startMs
  #clockStepMs = 0
  #entered = 0
  #killed: () => void = () => {}

  constructor(db: Database, seed: number, planted: Planted) {
    this.#db = db
    this.#random = randomFrom(seed)
    this.#planted = planted
    this.#losesPower = this.#chance(0.5)
    const others = { db, organizations: this.#codes.map((code) => code.organizationId) }
    const calls = { ...ingestCalls, ...this.#store.calls() }
    this.#calls = this.#faulty({ ...calls, ...planted.calls?.(calls, this.#store, others) })
    const counters = limitCountersOf(db, this.#clock)
    this.#counters = this.#unsure({ ...counters, ...planted.counters?.(counters, others) })
  }

  async run(): Promise<Outcome> {
    await this.#insertCodes()
    for (let index = 0; index < frontsCount; index++) this.#open(index, new MemoryDisk())
    for (let step = 0; step < steps; step++) await this.#step()
    this.#isFaulty = false
    for (const hanging of this.#hanging.splice(0)) await this.#resume(hanging)
    for (const front of this.#fronts) await front.stop()
    for (const writer of this.#writers) await this.#finish(writer)
    // As the worker does after a backlog.
    await countDueUniques(this.#context(dir(0)))
    const { problems } = this.#outcome
    problems.push(...problemsOfScans(this.#store, this.#scans))
    problems.push(...(await problemsOfCounters(this.#db, this.#store, this.#codes)))
    problems.push(...(await problemsOfLimit(this.#db, this.#codes[1]!, this.#entered)))
    return this.#outcome
  }

  async #step(): Promise<void> {
    const index = this.#below(frontsCount)
    const event = this.#random()
    if (event < 0.4) await this.#scan(this.#frontAt(index), 1 + this.#below(5))
    else if (event < 0.46) await this.#killFront(index)
    else if (event < 0.5) await this.#restartFront(index)
    else if (event < 0.53 && this.#losesPower) await this.#losePower()
    else if (event < 0.6) await this.#passTime()
    else if (event < 0.64 && this.#hanging.length > 0) {
      const [hanging] = this.#hanging.splice(this.#below(this.#hanging.length), 1)
      if (hanging !== undefined) await this.#resume(hanging)
    } else await this.#work(this.#writers[this.#below(this.#writers.length)]!)
  }

  #below(bound: number): number {
    return Math.floor(this.#random() * bound)
  }

  #chance(probability: number): boolean {
    return this.#random() < probability
  }

  readonly #clock = () => this.#nowMs + this.#clockStepMs

  #note(event: string): void {
    this.#outcome.trace.push(event)
  }

  async #insertCodes(): Promise<void> {
    for (const { organizationId } of this.#codes)
      await insertCode(this.#db, organizationId, this.#code, organizationId)
    await this.#db.kysely
      .insertInto('scan_limits')
      .values({
        organization_id: this.#codes[1]!.organizationId,
        qr_code_id: this.#code,
        scan_limit: scanLimit,
        taken: 0,
        resets: 1,
        full_at_ms: null,
      })
      .execute()
  }

  #frontAt(index: number): SimulatedFront {
    const front = this.#fronts[index]
    if (front === undefined) throw new Error(`there is no front ${index}`)
    return front
  }

  #open(index: number, disk: MemoryDisk): void {
    if (this.#planted.losesSyncs === true) neverSyncs(disk)
    const front = new SimulatedFront({
      dir: dir(index),
      disk,
      fault: this.#chance(0.3) ? this.#someFault() : undefined,
      sync: this.#losesPower ? 'always' : 'never',
      counters: this.#counters,
      time: this.#time(),
      clock: this.#clock,
      answersEarly: this.#planted.answersEarly === true,
    })
    this.#fronts[index] = front
    const { writerId = '' } = front.journal
    this.#writers.push({ dir: front.dir, reader: writerJournal(front.dir, writerId) })
  }

  #someFault(): Fault {
    const kind = (['before', 'after', 'short'] as const)[this.#below(3)] ?? 'before'
    const code = (['EIO', 'ENOSPC', 'EFBIG'] as const)[this.#below(3)] ?? 'EIO'
    return { at: this.#below(60), calls: 1 + this.#below(3), kind, code }
  }

  #time(): LimitTime {
    return {
      nowMs: () => this.#nowMs,
      every: (_ms, tick) => {
        this.#ticks.add(tick)
        return () => this.#ticks.delete(tick)
      },
    }
  }

  /** A person is let in by the limit, if the code has one, before the scan is recorded. */
  async #append(front: SimulatedFront): Promise<void> {
    const isLimited = this.#chance(0.5)
    const { organizationId } = this.#codes[isLimited ? 1 : 0]!
    const visitor = this.#below(6)
    if (isLimited) {
      if (!(await front.enter(this.#code, organizationId))) return
      this.#entered++
    }
    const scan = { number: this.#scans.length, organizationId, visitor, isAnswered: false }
    this.#scans.push(scan)
    front.append(scan, this.#code)
  }

  async #scan(front: SimulatedFront, count: number): Promise<void> {
    for (let index = 0; index < count; index++) await this.#append(front)
    await someTurns(this.#below(6))
    this.#note(`scan ${front.dir} ${count}, ${this.#scans.filter((one) => one.isAnswered).length} answered`)
  }

  /** Scans of the turn in which the process dies are neither written nor answered. */
  async #killFront(index: number): Promise<void> {
    const front = this.#frontAt(index)
    for (let count = 0; count < 2; count++) await this.#append(front)
    const disk = front.disk.copy()
    this.#outcome.kills++
    this.#note(`kill ${front.dir}`)
    await front.kill()
    this.#open(index, disk)
  }

  async #restartFront(index: number): Promise<void> {
    const front = this.#frontAt(index)
    this.#note(`restart ${front.dir}`)
    await front.stop()
    this.#open(index, front.disk)
  }

  /** Everything on the machine ends; the catalogue and the store are on others. */
  async #losePower(): Promise<void> {
    this.#note('lose power')
    for (const index of this.#fronts.keys()) {
      const front = this.#frontAt(index)
      await this.#append(front)
      await someTurns(this.#below(4))
      const chances = {
        next: this.#random,
        int: (below: number) => this.#below(below),
        chance: (p: number) => this.#chance(p),
      }
      const disk = front.disk.crashed(chances)
      this.#outcome.kills++
      await front.kill()
      this.#open(index, disk)
    }
    this.#hanging.splice(0)
    for (const writer of this.#writers) writer.reader = writerJournal(writer.dir, writer.reader.writer)
  }

  /** Leases become old, and now and then the clock of the wall steps. */
  async #passTime(): Promise<void> {
    this.#nowMs += this.#below(2_000)
    if (this.#chance(0.2)) this.#clockStepMs = (this.#below(3) - 1) * hourMs
    this.#note(`it is ${new Date(this.#clock()).toISOString()}`)
    for (const tick of this.#ticks) tick()
    await someTurns(3)
  }

  #context(dirOfWriter: string): IngestContext {
    const { disk } = this.#frontAt(this.#fronts.findIndex((front) => front.dir === dirOfWriter))
    const store = { caughtUp: <Result>(work: () => Promise<Result>) => work() } as ClickHouse
    return {
      journalRoot: '/journal',
      journalIo: disk,
      store,
      db: this.#db,
      places: testGeography,
      log: silentLog,
      stats: emptyStats(),
      calls: this.#calls,
      kept: new KeptRows('/journal'),
      clock: this.#clock,
      startedMs: 1,
      isAlone: true,
      isChecked: false,
      mustCheck: false,
      onFound: async () => {},
      rowsMax: 4,
    }
  }

  /** One pass of a worker. A killed one leaves its promise behind and its state is forgotten. */
  async #work(writer: Writer): Promise<string> {
    const { promise: ending, resolve } = Promise.withResolvers<string>()
    const { promise: going, resolve: resume } = Promise.withResolvers<void>()
    const isDead = { is: false }
    this.#killed = () => {
      isDead.is = true
      resolve('killed')
    }
    this.#hang = () => {
      resolve('hangs')
      return going
    }
    const pass = ingestNext(this.#context(writer.dir), writer.reader).catch(() => 'failed')
    const ended = await Promise.race([pass, ending])
    if (ended === 'killed') this.#outcome.kills++
    if (ended === 'hangs') this.#hanging.push({ pass, resume })
    // Another worker takes over, which knows nothing.
    if (ended === 'killed' || ended === 'hangs')
      writer.reader = writerJournal(writer.dir, writer.reader.writer)
    this.#note(`work ${writer.dir} ${ended}`)
    return ended
  }

  #hang: () => Promise<void> = () => Promise.resolve()

  /** The worker that was believed dead goes on, beside the one that took over. */
  async #resume({ pass, resume }: Hanging): Promise<void> {
    const { promise: ending, resolve } = Promise.withResolvers<string>()
    this.#killed = () => resolve('killed')
    this.#hang = () => this.#die()
    resume()
    this.#note(`a late answer: ${await Promise.race([pass, ending])}`)
  }

  async #finish(writer: Writer): Promise<void> {
    for (let passes = 0; passes < 200; passes++) if ((await this.#work(writer)) === 'none') return
    this.#outcome.problems.push('ingest does not end')
  }

  #faulty(calls: IngestCalls): IngestCalls {
    const wrap =
      (name: string, call: (...args: never[]) => Promise<unknown>) =>
      async (...args: never[]) => {
        const drawn =
          this.#isFaulty && this.#chance(faultChance) ? this.#below(lateCalls.has(name) ? 5 : 3) : -1
        if (drawn >= 0) this.#note(`${faultNames[drawn]} ${name}`)
        if (drawn === 0) return this.#die()
        if (drawn === 3) await this.#hang()
        const result = await call(...args)
        if (drawn === 1) return this.#die()
        if (drawn === 2) throw new Error('the answer was lost')
        // An intent that was saved is settled by the worker that takes over.
        if (drawn === 4 && name !== 'saveIntents') await this.#hang()
        return result
      }
    const wrapped = Object.entries(calls).map(([name, call]) => [name, wrap(name, call as never)])
    return Object.fromEntries(wrapped) as IngestCalls
  }

  /** Requests or answers of the counters are lost. */
  #unsure(counters: LimitCounters): LimitCounters {
    const lose = async <Result>(call: () => Promise<Result>): Promise<Result> => {
      const drawn = this.#isFaulty && this.#chance(faultChance) ? this.#below(2) : -1
      if (drawn === 0) throw new Error('the request was lost')
      const result = await call()
      if (drawn === 1) throw new Error('the answer was lost')
      return result
    }
    return {
      take: (key, want) => lose(() => counters.take(key, want)),
      isFull: (key) => lose(() => counters.isFull(key)),
      giveBack: (key, rest) => lose(() => counters.giveBack(key, rest)),
      addOwed: (key, answers) => lose(() => counters.addOwed(key, answers)),
    }
  }

  #die(): Promise<never> {
    this.#killed()
    return new Promise(() => {})
  }
}

const faultNames = ['kill before', 'kill after', 'lose the answer of', 'hang before', 'hang after'] as const
