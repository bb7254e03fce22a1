import assert from 'node:assert/strict'
import { join } from 'node:path'
import { readPeriod } from '../../../analytics/figures/period.ts'
import { DeletedBound } from '../../../analytics/files/deleted-bound.ts'
import { fileReads, fileScans } from '../../../analytics/files/file-scans.ts'
import { ListedFiles } from '../../../analytics/files/listed-files.ts'
import { ParquetFiles } from '../../../analytics/files/parquet/parquet-files.ts'
import { fileWrites } from '../../../analytics/files/parquet/file-writes.ts'
import type { ScanEngine } from '../../../analytics/files/parquet/scan-engine.ts'
import { RecordFiles } from '../../../analytics/files/records/record-files.ts'
import { RecordReader } from '../../../analytics/files/records/record-reader.ts'
import { ScanFiles } from '../../../analytics/files/scan-files.ts'
import { VisitIndex } from '../../../analytics/files/visits/visit-index.ts'
import { RecordLog } from '../../../analytics/insert/record-log.ts'
import type { Database } from '../../../db/database.ts'
import { FileBatches } from '../file-batches.ts'
import { listedSegments } from '../segment-catalogue.ts'

/** The process was killed. */
export class Killed extends Error {}

/** Counts the steps of a worker, which is killed at one of them: before it, or after it. */
export class Steps {
  /** Called before each step. A step waits for what it returns. */
  before: (name: string) => Promise<void> | undefined = () => undefined
  #left: number
  #isDone: boolean

  constructor(left: number, isDone: boolean) {
    this.#left = left
    this.#isDone = isDone
  }

  get isDead(): boolean {
    return this.#left <= 0
  }

  /** Counts as another one from now on. */
  become(other: Steps): void {
    this.#left = other.#left
    this.#isDone = other.#isDone
  }

  /** Throws a Killed if the process is dead before a step. */
  begin(): void {
    this.#left--
    if (this.#left < 0 || (this.#left === 0 && !this.#isDone)) throw new Killed('killed')
  }

  /** Throws a Killed if the process died meanwhile. */
  end(): void {
    if (this.isDead) throw new Killed('killed')
  }

  /** Returns an object each of whose methods is a step. */
  of<Calls extends object>(calls: Calls): Calls {
    return new Proxy(calls, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        return (...args: unknown[]): unknown => {
          if (synchronous.has(name)) return Reflect.apply(value, target, args)
          this.begin()
          const work = (): unknown => Reflect.apply(value, target, args)
          const before = this.before(String(name))
          const result = before === undefined ? work() : before.then(work)
          return result instanceof Promise ? this.#ended(result, name) : result
        }
      },
    })
  }

  async #ended(result: Promise<unknown>, name: string | symbol): Promise<unknown> {
    const value = await result
    this.end()
    return name === 'findMarks' ? this.of(value as object) : value
  }
}

/** Files of these worlds are small. */
const rolledScansMin = 5

/** Calls that change nothing. */
const synchronous = new Set<string | symbol>(['close', 'has'])

export type Worker = {
  batches: FileBatches
  records: RecordFiles
  parquet: ParquetFiles
  /** The catalogue as the worker has it: a commit is a step. */
  db: Database
  steps: Steps
  close: () => Promise<void>
}

/** Opens the store in files of a folder. */
export async function openWorker(
  folder: string,
  { engine, db: whole, steps }: { engine: ScanEngine; db: Database; steps: Steps },
): Promise<Worker> {
  const db: Database = {
    ...whole,
    beforeCommit: async () => {
      steps.begin()
      steps.end()
    },
  }
  const records = new RecordFiles(new RecordLog(join(folder, 'records')))
  const parquet = await ParquetFiles.open({
    folder: join(folder, 'scans'),
    engine: fileWrites(engine),
    rolledScansMin,
  })
  const visits = await VisitIndex.open({ folder: join(folder, 'visits') })
  const batches = new FileBatches({
    db,
    records,
    files: steps.of(new ScanFiles({ records, parquet })),
    visits: steps.of(visits),
    bound: steps.of(await DeletedBound.open(join(folder, 'scans'))),
    folder: join(folder, 'scans'),
    clock: Date.now,
  })
  const close = async (): Promise<void> => {
    await visits.close()
    await records.close()
  }
  return { batches, records, parquet, db, steps, close }
}

/**
 * Returns a function that asks for scans and unique scans of each code, as the product does. All
 * scans of the organization are of these codes.
 */
export function readerOfFigures(
  { segments, records }: { segments: string; records: string },
  {
    engine,
    db,
    organizationId,
    codes,
  }: { engine: ScanEngine; db: Database; organizationId: string; codes: readonly string[] },
): () => Promise<Record<string, readonly [number, number]>> {
  const listed = new ListedFiles({
    engine,
    folder: segments,
    records: new RecordReader(new RecordLog(records)),
    readManifest: listedSegments(db),
    rolledScansMin,
  })
  const scans = fileScans(fileReads({ engine, readListed: () => listed.read() }))
  const period = readPeriod({ startDate: '2025-12-01', endDate: '2026-12-31' })
  return async () => {
    const { topQrCodes, summary } = await scans.organizationAnalytics({
      ...period,
      organizationId,
      filters: {},
      interval: 'month',
      topQrCodes: [...codes],
    })
    const counted = new Map(
      topQrCodes.map(({ qrCodeId, scans: count, uniqueScans }) => [qrCodeId, [count, uniqueScans] as const]),
    )
    // Rollups count both apart.
    const total = topQrCodes.reduce((sum, { scans: count }) => sum + count, 0)
    assert.equal(summary.totalScans, total)
    return Object.fromEntries(codes.map((code) => [code, counted.get(code) ?? [0, 0]]))
  }
}
