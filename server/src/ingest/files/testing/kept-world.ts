import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { Random } from '@everscan/contract/testing/random.ts'
import { DeletedBound } from '../../../analytics/files/deleted-bound.ts'
import { rowsOfFiles } from '../../../analytics/files/parquet/file-sql.ts'
import type { ScanEngine } from '../../../analytics/files/parquet/scan-engine.ts'
import { SegmentBlock } from '../../../analytics/files/segment-block.ts'
import type { RecoveryOptions } from '../../../analytics/files/segment-store.ts'
import { plainRow } from '../../../analytics/files/visits/testing/visit-world.ts'
import { monthOf } from '../../../analytics/insert/one-month.ts'
import type { ScanRow } from '../../../analytics/insert/scan-row.ts'
import { nobody } from '../../../analytics/store/first-scans.ts'
import { randomScans } from '../../../analytics/testing/scan-rows.ts'
import { inTransaction, type Database } from '../../../db/database.ts'
import { countersOf } from '../../testing/ingest.ts'
import { deleteOldScansInFiles } from '../delete-old-scans.ts'
import { segmentCatalogue } from '../segment-catalogue.ts'
import { Killed, openWorker, readerOfFigures, Steps, type Worker } from './killed-worker.ts'

const organizationId = 'org_1'
export const codes = ['qr_busy', 'qr_quiet']
export const retentionDays = 20
const { signal } = new AbortController()

type Batch = { writer: string; from: number; rows: ScanRow[] }
type Figures = Record<string, readonly [number, number]>

/** A store in files, and every scan that it must have. */
export class World {
  readonly folder: string
  readonly #engine: ScanEngine
  db: Database
  /** Whether batches that were not stored can be read again. */
  #hasJournals = true
  #waiting: Batch | undefined
  #read: (() => Promise<Figures>) | undefined
  #rows: ScanRow[] = []
  #worker: Worker | undefined
  #sequences = new Map<string, number>()

  constructor(folder: string, engine: ScanEngine, db: Database) {
    this.folder = folder
    this.#engine = engine
    this.db = db
  }

  /** Another catalogue takes over, and journals are gone. */
  become(db: Database): void {
    this.db = db
    this.#hasJournals = false
    this.#read = undefined
  }

  get worker(): Worker {
    if (this.#worker === undefined) throw new Error('it is not open')
    return this.#worker
  }

  async close(): Promise<void> {
    await this.#worker?.close()
    this.#worker = undefined
  }

  /** Opens everything as a start does; a worker before it is killed. */
  async reopen(steps = new Steps(Infinity, false)): Promise<void> {
    await this.close()
    this.#worker = await openWorker(this.folder, { engine: this.#engine, db: this.db, steps })
    await this.#recover()
    // A batch during which the worker was killed is read again.
    if (this.#waiting !== undefined) await this.#store(this.#waiting)
    this.#waiting = undefined
  }

  async store(
    random: Random,
    { writer, rows: count, ...range }: { writer: string; rows: number; fromMs: number; toMs: number },
  ): Promise<void> {
    const drawn = randomScans(random, { organizationId, rows: count, ...range })
    const ordered = drawn.toSorted((a, b) => a.timeMs - b.timeMs)
    for (const ofMonth of Map.groupBy(ordered, ({ timeMs }) => monthOf(timeMs)).values()) {
      const from = this.#sequences.get(writer) ?? 0
      const rows = ofMonth.map((row, at) => ({
        ...row,
        writer,
        sequence: from + at + 1,
        visitor: random() < 0.05 ? nobody : row.visitor.slice(-2).padStart(32, '0'),
      }))
      this.#rows.push(...rows)
      this.#sequences.set(writer, from + rows.length)
      this.#waiting = { writer, from, rows }
      await this.#store(this.#waiting)
      this.#waiting = undefined
    }
  }

  /** Stores a scan of each visitor by one writer. */
  async storeVisits(names: readonly string[], timeMs: number): Promise<void> {
    const writer = 'visits'
    const from = this.#sequences.get(writer) ?? 0
    const rows = names.map((name, at) => ({
      ...plainRow,
      organizationId,
      qrCodeId: codes[0]!,
      writer,
      sequence: from + at + 1,
      timeMs,
      visitor: Buffer.from(name).toString('hex').padStart(32, '0'),
    }))
    this.#sequences.set(writer, from + rows.length)
    this.#rows.push(...rows)
    await this.#store({ writer, from, rows })
  }

  async #store({ writer, from, rows }: Batch): Promise<void> {
    const block = new SegmentBlock(rows.length)
    for (const row of rows) block.add(row)
    const to = from + rows.length
    const read = { writer, from, after: from, to, end: { segment: 1, offset: to } }
    const month = monthOf(rows[0]?.timeMs ?? 0)
    for (;;) {
      const { batches } = this.worker
      if (batches.isReady && batches.checkpointOf(writer) === from + rows.length) return
      const within = async (change: (tx: Database) => Promise<number>): Promise<void> =>
        void (await inTransaction(this.db, change))
      if (await batches.store({ read, month, block, coverage: batches.coverage(), within })) return
      await this.#recover()
    }
  }

  async merge(): Promise<void> {
    const { segments } = await segmentCatalogue(this.db).read()
    const groups = Map.groupBy(
      segments,
      ({ level, stretches }) => `${stretches[0]?.month} ${Math.min(level, 1)}`,
    )
    for (const group of groups.values())
      if (group.length > 1) assert.ok(await this.worker.batches.merge(group.map(({ id }) => id)))
    while (await this.worker.batches.rollUpNext());
  }

  /** Begins a deletion by a worker that is killed at one of its steps. */
  startDeletion(nowMs: number, steps: Steps): { ended: Promise<void>; isOver: () => boolean } {
    this.worker.steps.become(steps)
    let isOver = false
    const ended = this.delete(nowMs).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error
    })
    void ended.finally(() => (isOver = true)).catch(() => {})
    return { ended, isOver: () => isOver }
  }

  /** Does something again and again until a deletion has ended; a killed worker does nothing. */
  async whileRuns(deletion: { isOver: () => boolean }, work: () => Promise<void>): Promise<void> {
    while (!deletion.isOver())
      try {
        await work()
      } catch (error) {
        if (!(error instanceof Killed)) throw error
        return
      }
  }

  async delete(nowMs: number, { days }: { days?: number } = { days: retentionDays }): Promise<void> {
    const { batches, db } = this.worker
    await deleteOldScansInFiles(db, nowMs, { batches, retentionDays: days, signal })
  }

  kept(beforeMs: number): ScanRow[] {
    return this.#rows.filter(({ timeMs }) => timeMs >= beforeMs)
  }

  forget(beforeMs: number): void {
    assert.ok(this.#rows.some(({ timeMs }) => timeMs < beforeMs))
    this.#rows = this.kept(beforeMs)
  }

  async figures(): Promise<Figures> {
    this.#read ??= readerOfFigures(
      { segments: join(this.folder, 'scans'), records: join(this.folder, 'records') },
      { engine: this.#engine, db: this.db, organizationId, codes },
    )
    return await this.#read()
  }

  /** Compares scans, marks, counters and figures with those of a plain count of all scans. */
  async check(where: string): Promise<void> {
    const expected = expectedOf(this.#rows)
    assert.deepEqual(await countersOf(this.db), expected, where)
    assert.deepEqual(await this.figures(), expected, where)
    const stored = await this.#storedScans()
    assert.deepEqual(
      stored.map(([writer, sequence]) => `${writer} ${sequence}`).toSorted(),
      this.#rows.map(({ writer, sequence }) => `${writer} ${sequence}`).toSorted(),
      where,
    )
    const marked = stored.filter(([, , , , isUnique]) => isUnique)
    assert.ok(!marked.some(([, , , visitor]) => visitor === nobody), where)
    assert.equal(
      new Set(marked.map(([, , code, visitor]) => `${code} ${visitor}`)).size,
      marked.length,
      where,
    )
    const bound = await DeletedBound.open(join(this.folder, 'scans'))
    assert.equal(bound.beforeMs, this.worker.batches.deletedBeforeMs)
  }

  async #storedScans(): Promise<[string, string, string, string, boolean][]> {
    const { records, parquet } = this.worker
    const scans: [string, string, string, string, boolean][] = []
    for (const { id } of (await segmentCatalogue(this.db).read()).segments)
      if (records.has(id)) {
        const block = await records.read(id)
        for (let row = 0; row < block.rows; row++)
          scans.push([
            block.texts.writer.valueOf(row),
            String(block.sequence[row]),
            block.texts.qrCodeId.valueOf(row),
            block.visitorAt(row).toString('hex'),
            block.isUnique[row] === 1,
          ])
      } else
        for (const [writer, sequence, code, visitor, isUnique] of await this.#engine.files.rows(
          `select writer, sequence, qr_code_id, replace(visitor::varchar, '-', ''), is_unique
           from ${rowsOfFiles(parquet.pathsOf([id]))}`,
        ))
          scans.push([String(writer), String(sequence), String(code), String(visitor), isUnique === true])
    return scans
  }

  async #recover(): Promise<void> {
    const isComing: RecoveryOptions<Database>['isComing'] =
      ({ checkpoints }) =>
      ({ writer, from }) =>
        this.#hasJournals && from >= (checkpoints.get(writer) ?? 0)
    await this.worker.batches.recover({ signal, isComing })
  }
}

/** Returns the scans and visitors of each code. */
export function expectedOf(rows: readonly ScanRow[]): Figures {
  const people = rows.filter((row) => row.class === 'human')
  return Object.fromEntries(
    codes.map((code) => {
      const ofCode = people.filter(({ qrCodeId }) => qrCodeId === code)
      const known = ofCode.filter(({ visitor }) => visitor !== nobody)
      return [code, [ofCode.length, new Set(known.map(({ visitor }) => visitor)).size] as const]
    }),
  )
}

export function same(one: Figures, other: Figures): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
