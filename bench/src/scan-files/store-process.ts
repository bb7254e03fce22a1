// The worker's part of scans in files in a process of its own: opens the store as a start after an
// unclean stop does, fills it with batches and merges, reports, and ends.
import process from 'node:process'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { forgetClosed } from '@everscan/server/analytics/files/closed-mark.ts'
import { ParquetFiles } from '@everscan/server/analytics/files/parquet/parquet-files.ts'
import { SegmentBlock } from '@everscan/server/analytics/files/segment-block.ts'
import { engineClient } from '@everscan/server/analytics/files/socket/engine-client.ts'
import { blockRowsMax } from '@everscan/server/analytics/insert/scan-block.ts'
import { ScanStoreUnavailable } from '@everscan/server/analytics/scan-store.ts'
import { monthOf } from '@everscan/server/analytics/insert/one-month.ts'
import { inTransaction, type Database } from '@everscan/server/db/database.ts'
import { openDatabase } from '@everscan/server/db/open-database.ts'
import type { FileBatches } from '@everscan/server/ingest/files/file-batches.ts'
import { openFileBatches } from '@everscan/server/ingest/files/open-file-batches.ts'
import { listedSegments } from '@everscan/server/ingest/files/segment-catalogue.ts'
import { createLog } from '@everscan/server/log.ts'
import { scanFilePlaces } from '@everscan/server/settings/scan-file-places.ts'
import { filledPeriod } from '../fill-scans.ts'
import { cpuMs } from '../load/cores.ts'
import { numberedCodes, numberedRow, type NumberedRow } from './rows.ts'
import { peakMb } from './peak-memory.ts'

export type StoreOrder = {
  dataDir: string
  socketPath: string
  enginePid: number
  organizationId: string
  /** Scans by their numbers, up to `to` (exclusive), spread over a year in the order of time. */
  from: number
  to: number
  /** The scans of a batch, if fewer than the most. */
  batchScans?: number
  /** Whether nothing is merged, as if the engine were away. */
  isUnmerged?: boolean
}

export type StoreResult = {
  /** The time until batches can be stored: all files were verified. */
  startSeconds: number
  fillSeconds: number
  /** Processor time of both processes, without that of making the scans. */
  cpuMs: { store: number; engine: number }
  /** The bytes written: of records, and of files by batches of records and by merges of files. */
  written: { records: number; files: number }
  /** The most files and records that were listed at once while batches came. */
  mostListed: { records: number; files: number }
  listed: { records: number; files: number; bytes: number }
  /** How often the store had to be compared with the catalogue again. */
  recoveries: number
  /** How often the engine did not answer, and the merge was tried again. */
  failedMerges: number
  /** Scans by people. */
  counts: Record<keyof typeof numberedCodes | 'all' | 'unique', number>
  peakMb: number
}

const writer = 'w_01m8e2t6bb38tz0266c47zrmp4'
/** The event loop goes on after so many rows, as when they are read from a journal. */
const rowsOfTurn = 500
/** Files that do not count any more are removed after so many scans. */
const scansBetweenRemovals = 1_000_000
const keepMs = 3_600_000
const failuresMax = 5
const yearMs = filledPeriod.endMs - filledPeriod.startMs
const nothingDeleted = () => 0

class StoreProcess {
  readonly #order: StoreOrder
  readonly #db: Database
  readonly #readListed: ReturnType<typeof listedSegments>
  /** The clock of the store is ahead, so that hours in which files are kept pass at once. */
  #aheadMs = 0
  #merging: Promise<void> | undefined
  #known: string | undefined
  #makingMs = 0
  readonly #seen = new Set<string>()
  readonly #result: StoreResult = {
    startSeconds: 0,
    fillSeconds: 0,
    cpuMs: { store: 0, engine: 0 },
    written: { records: 0, files: 0 },
    mostListed: { records: 0, files: 0 },
    listed: { records: 0, files: 0, bytes: 0 },
    recoveries: 0,
    failedMerges: 0,
    counts: { all: 0, unique: 0, tenth: 0, million: 0, small: 0 },
    peakMb: 0,
  }

  constructor(order: StoreOrder, db: Database) {
    this.#order = order
    this.#db = db
    this.#readListed = listedSegments(db)
  }

  async run(): Promise<StoreResult> {
    const { from, to, enginePid } = this.#order
    const startMs = performance.now()
    const batches = await this.#open()
    this.#result.startSeconds = secondsSince(startMs)
    await this.#look()
    this.#result.written = { records: 0, files: 0 }
    const fillMs = performance.now()
    const [before, engineBefore] = [process.cpuUsage(), cpuMs(enginePid)]
    if (to > from) await this.#fill(batches)
    const { user, system } = process.cpuUsage(before)
    this.#result.cpuMs = {
      store: (user + system) / 1_000 - this.#makingMs,
      engine: cpuMs(enginePid) - engineBefore,
    }
    this.#result.fillSeconds = secondsSince(fillMs)
    await batches.close()
    return { ...this.#result, peakMb: peakMb(process.pid) }
  }

  async #open(): Promise<FileBatches> {
    const { dataDir, socketPath } = this.#order
    const places = scanFilePlaces({ dataDir })
    await forgetClosed(places.segments)
    const engine = engineClient(socketPath)
    const deleted = { deletedBeforeMs: nothingDeleted }
    const parquet = await ParquetFiles.open({ folder: places.segments, engine, ...deleted })
    const batches = await openFileBatches(
      { recordsFolder: places.records, visitsFolder: places.visits },
      { db: this.#db, parquet, clock: () => Date.now() + this.#aheadMs, ...deleted },
    )
    const { lost } = await this.#recover(batches, false)
    if (lost.length > 0) throw new Error(`${lost.length} stretches of scans are lost`)
    return batches
  }

  #recover(batches: FileBatches, hasRead: boolean) {
    return batches.recover({ hasRead, signal: new AbortController().signal })
  }

  async #fill(batches: FileBatches): Promise<void> {
    const { from, to, isUnmerged = false } = this.#order
    let removedAt = from
    for (let next = from; next < to;) {
      next = await this.#store(batches, next)
      if (isUnmerged) continue
      this.#merging ??= this.#mergeAll(batches).finally(() => {
        this.#merging = undefined
      })
      if (next - removedAt < scansBetweenRemovals) continue
      await this.#remove(batches)
      removedAt = next
    }
    await this.#merging
    if (isUnmerged) return
    await this.#mergeAll(batches)
    await this.#remove(batches)
  }

  /** Stores a batch from a number on. Returns the number of the next scan. */
  async #store(batches: FileBatches, first: number): Promise<number> {
    const { rows, month, end } = await this.#rowsFrom(first)
    const block = new SegmentBlock(rows.length)
    for (const [at, { row }] of rows.entries()) {
      block.add(row)
      if (at % rowsOfTurn === 0) await nextTurn()
    }
    if (!batches.isReady || batches.checkpointOf(writer) !== first) {
      this.#result.recoveries++
      await this.#recover(batches, true)
    }
    const isStored = await batches.store({
      read: { writer, from: first, after: first, to: end, end: { segment: 0, offset: 0 } },
      month,
      block,
      coverage: batches.coverage(),
      within: async (change) => void (await inTransaction(this.#db, change)),
    })
    await this.#look()
    if (!isStored) return first
    this.#count(rows)
    return end
  }

  /** Makes the scans of a batch of one month. */
  async #rowsFrom(first: number): Promise<{ rows: NumberedRow[]; month: number; end: number }> {
    const { from, to, organizationId, batchScans = blockRowsMax } = this.#order
    const timeOf = (number: number): number =>
      filledPeriod.startMs + Math.floor(((number - from) / (to - from)) * yearMs)
    const month = monthOf(timeOf(first))
    const endMax = Math.min(to, first + batchScans)
    const rows: NumberedRow[] = []
    for (let end = first; end < endMax && monthOf(timeOf(end)) === month;) {
      const before = process.threadCpuUsage()
      for (const turnEnd = end + rowsOfTurn; end < Math.min(turnEnd, endMax); end++) {
        if (monthOf(timeOf(end)) !== month) break
        rows.push(numberedRow(end, { organizationId, timeMs: timeOf(end), writer }))
      }
      const { user, system } = process.threadCpuUsage(before)
      this.#makingMs += (user + system) / 1_000
      await nextTurn()
    }
    return { rows, month, end: first + rows.length }
  }

  #count(rows: readonly NumberedRow[]): void {
    const { counts } = this.#result
    for (const { row, code, isUnique } of rows) {
      if (row.class !== 'human') continue
      counts.all++
      if (isUnique) counts.unique++
      for (const name of ['tenth', 'million', 'small'] as const)
        if (code === numberedCodes[name]) counts[name]++
    }
  }

  /** Merges as the worker does each second, beside batches. */
  async #mergeAll(batches: FileBatches): Promise<void> {
    for (let failures = 0; ;) {
      try {
        if (!(await batches.mergeNext()) && !(await batches.rollUpNext())) return
        failures = 0
      } catch (error) {
        if (!(error instanceof ScanStoreUnavailable) || ++failures === failuresMax) throw error
        this.#result.failedMerges++
      }
      await this.#look()
    }
  }

  /** Lets the time pass after which files that do not count are removed. */
  async #remove(batches: FileBatches): Promise<void> {
    await batches.removeFiles()
    this.#aheadMs += keepMs
    await batches.removeFiles()
    await batches.trim(0)
  }

  /** Adds up what was written since the last look. */
  async #look(): Promise<void> {
    const { segments = [], revision } = await this.#readListed(this.#known)
    if (revision === this.#known) return
    this.#known = revision
    const { written, mostListed } = this.#result
    const listed = { records: 0, files: 0, bytes: 0 }
    for (const { id, level, bytes } of segments) {
      const kind = level === 0 ? 'records' : 'files'
      listed[kind]++
      listed.bytes += bytes
      if (this.#seen.has(id)) continue
      this.#seen.add(id)
      written[kind] += bytes
    }
    this.#result.listed = listed
    mostListed.records = Math.max(mostListed.records, listed.records)
    mostListed.files = Math.max(mostListed.files, listed.files)
  }
}

process.once('message', (order: StoreOrder) => {
  void runStore(order).then((result) => process.send?.(result, () => process.disconnect()))
})

async function runStore(order: StoreOrder): Promise<StoreResult> {
  const log = createLog({ level: 'warn', role: 'worker' })
  const db = await openDatabase({
    databaseUrl: undefined,
    dataDir: order.dataDir,
    role: 'writer',
    log,
  })
  try {
    return await new StoreProcess(order, db).run()
  } finally {
    await db.close()
  }
}

function secondsSince(startMs: number): number {
  return (performance.now() - startMs) / 1_000
}
