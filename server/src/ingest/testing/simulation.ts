// One seed decides every event: scans, kills of front and worker at any call, lost answers and
// doubled inserts. Journal, reader, ingest and catalogue are the product's own code.
import { randomFrom } from '@everscan/contract/testing/random.ts'
import type { ScanStore } from '../../analytics/store/store.ts'
import type { Database } from '../../db/database.ts'
import type { IngestIntent } from '../../db/scans/ingest-checkpoints.ts'
import { insertCode } from '../../db/testing/codes.ts'
import type { Journal } from '../../journal/journal.ts'
import { openJournal } from '../../journal/journal.ts'
import { prepareScan } from '../../journal/raw-scan.ts'
import { journalStart, readFrames } from '../../journal/reader.ts'
import { MemoryDisk, turn } from '../../journal/testing/journal.ts'
import { ingestCalls, type IngestCalls } from '../ingest-calls.ts'
import type { IngestContext, WriterJournal } from '../ingest-context.ts'
import { emptyStats } from '../ingest-stats.ts'
import { KeptRows } from '../kept-rows.ts'
import { ingestNext, writerJournal } from '../writer-journal.ts'
import { silentLog, someScan, testGeography } from './ingest.ts'
import { MemoryStore, type Row } from './memory-store.ts'

/** A fault put in on purpose: calls that replace the product's, or a front that answers early. */
export type Planted = {
  calls?: (calls: IngestCalls, store: MemoryStore) => Partial<IngestCalls>
  answersEarly?: boolean
}

type Writer = {
  front: Front
  journal: WriterJournal
  /** Visitors by scan; sequences begin after `base`, which leaps at each start. */
  visitors: number[]
  base: number | undefined
  answered: Set<number>
}
type Front = { dir: string; disk: MemoryDisk; journal: Journal; writer: Writer }

export type Outcome = { trace: string[]; problems: string[]; kills: number }

const steps = 40
const frontsCount = 2
const faultChance = 0.12
const dir = (index: number): string => `/journal/front-${index}`

/** Runs one seed to its end, recovers without faults, and compares with what was answered. */
export async function simulate(db: Database, seed: number, planted: Planted = {}): Promise<Outcome> {
  const simulation = new Simulation(db, seed, planted)
  return await simulation.run()
}

let runs = 0

class Simulation {
  readonly #random
  readonly #db
  readonly #planted
  readonly #code = `sim${runs++}`
  readonly #store = new MemoryStore((intent) => this.#rowsOf(intent))
  readonly #writers: Writer[] = []
  readonly #outcome: Outcome = { trace: [], problems: [], kills: 0 }
  readonly #calls: IngestCalls
  #isFaulty = true
  #killed: () => void = () => {}

  constructor(db: Database, seed: number, planted: Planted) {
    this.#db = db
    this.#random = randomFrom(seed)
    this.#planted = planted
    const calls = { ...ingestCalls, ...this.#store.calls() }
    this.#calls = this.#faulty({ ...calls, ...planted.calls?.(calls, this.#store) })
  }

  async run(): Promise<Outcome> {
    await insertCode(this.#db, `org_${this.#code}`, this.#code)
    const fronts = Array.from({ length: frontsCount }, (_, index) => this.#open(dir(index), new MemoryDisk()))
    for (let step = 0; step < steps; step++) {
      const front = fronts[this.#below(frontsCount)]!
      const event = this.#random()
      if (event < 0.4) await this.#scan(front, 1 + this.#below(5))
      else if (event < 0.5) await this.#killFront(fronts, front)
      else await this.#work(this.#writers[this.#below(this.#writers.length)]!)
    }
    this.#isFaulty = false
    for (const writer of this.#writers) await this.#finish(writer)
    for (const { journal } of fronts) await journal.close()
    await this.#judge()
    return this.#outcome
  }

  #below(bound: number): number {
    return Math.floor(this.#random() * bound)
  }

  #note(event: string): void {
    this.#outcome.trace.push(event)
  }

  #rowsOf({ writer, from, to }: IngestIntent): Row[] {
    const found = this.#writers.find(({ journal }) => journal.writer === writer)
    const base = found?.base ?? 0
    return (found?.visitors ?? [])
      .map((visitor, index) => ({ writer, visitor, sequence: base + index + 1 }))
      .filter(({ sequence }) => sequence > from.sequence && sequence <= to.sequence)
  }

  #open(path: string, disk: MemoryDisk): Front {
    const journal = openJournal({
      dir: path,
      rootDir: '/journal',
      sync: 'never',
      bytesMax: 1e9,
      segmentBytesMax: 1500,
      io: disk,
    })
    const reader = writerJournal(path, journal.writerId ?? '')
    const front = { dir: path, disk, journal } as Front
    front.writer = { front, journal: reader, visitors: [], base: undefined, answered: new Set() }
    this.#writers.push(front.writer)
    return front
  }

  #append({ journal, writer }: Front, count: number): void {
    for (let index = 0; index < count; index++) {
      const visitor = this.#below(6)
      const sequence = writer.visitors.push(visitor)
      const organizationId = `org_${this.#code}`
      const scan = someScan({ organizationId, qrCodeId: this.#code, shortCode: this.#code, visitor })
      if (this.#planted.answersEarly === true) writer.answered.add(sequence)
      const acknowledge = (recorded: boolean) => void (recorded && writer.answered.add(sequence))
      journal.append(prepareScan(scan), { acknowledge })
    }
  }

  async #scan(front: Front, count: number): Promise<void> {
    this.#append(front, count)
    for (let turns = 0; turns < 3; turns++) await turn()
    const { writer, disk } = front
    if (writer.base === undefined) {
      const options = { io: disk, writer: writer.journal.writer }
      const { frames } = await readFrames(front.dir, journalStart, options)
      writer.base = (frames[0]?.sequence ?? 1) - 1
    }
    this.#note(`scan ${front.dir} ${count} answered ${front.writer.answered.size}`)
  }

  /** Scans of the turn in which the process dies are neither written nor answered. */
  async #killFront(fronts: Front[], front: Front): Promise<void> {
    this.#append(front, 2)
    const disk = front.disk.copy()
    const answered = new Set(front.writer.answered)
    this.#outcome.kills++
    this.#note(`kill ${front.dir}`)
    await front.journal.close()
    const { writer } = front
    writer.answered = answered
    const next = this.#open(front.dir, disk)
    fronts[fronts.indexOf(front)] = next
    for (const other of this.#writers) if (other.front.dir === front.dir) other.front = next
  }

  #context(writer: Writer): IngestContext {
    const { disk } = writer.front
    const store = { caughtUp: <Result>(work: () => Promise<Result>) => work() } as ScanStore
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
      clock: () => 1,
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
    const killed = new Promise<string>((resolve) => (this.#killed = () => resolve('killed')))
    const pass = ingestNext(this.#context(writer), writer.journal).catch(() => 'failed')
    const ended = await Promise.race([pass, killed])
    if (ended === 'killed') {
      this.#outcome.kills++
      writer.journal = writerJournal(writer.journal.dir, writer.journal.writer)
    }
    this.#note(`work ${writer.front.dir} ${ended}`)
    return ended
  }

  async #finish(writer: Writer): Promise<void> {
    for (let passes = 0; passes < 200; passes++) if ((await this.#work(writer)) === 'none') return
    this.#outcome.problems.push('ingest does not end')
  }

  #faulty(calls: IngestCalls): IngestCalls {
    const wrap =
      (name: string, call: (...args: never[]) => Promise<unknown>) =>
      async (...args: never[]) => {
        const drawn = this.#isFaulty && this.#random() < faultChance ? this.#below(3) : -1
        if (drawn >= 0) this.#note(`${['kill before', 'kill after', 'lose the answer of'][drawn]} ${name}`)
        if (drawn === 0) return this.#die()
        const result = await call(...args)
        if (drawn === 1) return this.#die()
        if (drawn === 2) throw new Error('the answer was lost')
        return result
      }
    const wrapped = Object.entries(calls).map(([name, call]) => [name, wrap(name, call as never)])
    return Object.fromEntries(wrapped) as IngestCalls
  }

  #die(): Promise<never> {
    this.#killed()
    return new Promise(() => {})
  }

  async #judge(): Promise<void> {
    const { problems } = this.#outcome
    for (const { journal, answered, visitors, base = 0 } of this.#writers)
      for (let sequence = 1; sequence <= visitors.length; sequence++) {
        const count = this.#store.count(journal.writer, base + sequence)
        if (count > 1) problems.push(`a scan is in the store ${count} times`)
        if (count === 0 && answered.has(sequence)) problems.push('an answered scan is lost')
      }
    const row = await this.#db.kysely
      .selectFrom('scan_counters')
      .selectAll()
      .where('qr_code_id', '=', this.#code)
      .executeTakeFirst()
    const { rows, uniques } = this.#store.totals()
    const counted = [row?.total_scans ?? 0, row?.unique_scans ?? 0]
    if (counted[0] !== rows || counted[1] !== uniques)
      problems.push(`counters are ${counted.join(', ')}, the store has ${rows}, ${uniques}`)
  }
}
