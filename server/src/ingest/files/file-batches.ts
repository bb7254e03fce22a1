import type { SegmentBlock } from '../../analytics/files/segment-block.ts'
import type { CodeCounts } from '../../analytics/files/code-counts.ts'
import { daysOfBlock } from '../../analytics/files/days-of-block.ts'
import { coveredBy, type ReadStretch, type ScanSegment } from '../../analytics/files/manifest.ts'
import type { ScannedCode } from '../../analytics/files/file-contents.ts'
import { ScanFiles } from '../../analytics/files/scan-files.ts'
import {
  SegmentStore,
  type BatchCoverage,
  type Recovered,
  type RecoveryOptions,
  type Within,
} from '../../analytics/files/segment-store.ts'
import type { ParquetFiles } from '../../analytics/files/parquet/parquet-files.ts'
import { isMergeUrgent, planMerge } from '../../analytics/files/plan-merge.ts'
import { coverageOf, findOverlap } from '../../analytics/files/stretches.ts'
import type { Deletion } from '../../analytics/files/deletion.ts'
import { closedFilesReadAt, markClosed } from '../../analytics/files/closed-mark.ts'
import { DeletedBound } from '../../analytics/files/deleted-bound.ts'
import { VisitIndex } from '../../analytics/files/visits/visit-index.ts'
import { countRows, RecordFiles } from '../../analytics/files/records/record-files.ts'
import { inTransaction, type Database } from '../../db/database.ts'
import { ensureInstallation, readInstallation, updateInstallation } from '../../db/installation.ts'
import { readRetention } from '../../db/scans/scan-counters.ts'
import { hasScanDays } from '../../db/scans/scan-days.ts'
import { RecordLog } from '../../analytics/insert/record-log.ts'
import type { StoredDay } from '../../analytics/insert/stored-scans.ts'
import { createId } from '../../ids.ts'
import { addToLedger, balanceLedger, type LedgerDifference } from './scan-ledger.ts'
import { segmentCatalogue } from './segment-catalogue.ts'

export type FileBatchesOptions = {
  db: Database
  records: RecordFiles
  files: ScanFiles
  visits: VisitIndex
  bound: DeletedBound
  /** The folder of the files of Parquet. */
  folder: string
  clock: () => number
}

/** A batch of one month. Its rows are marked as unique or not when it is stored. */
export type FileBatch = {
  read: ReadStretch
  month: number
  block: SegmentBlock
  /** The scans that the store had when the batch was read. */
  coverage: BatchCoverage
  /** The transaction that the batch is a part of. */
  within: Within<Database>
}

/** The folders of scans in files. Only one process may have them open. */
export type FilePlaces = {
  /** For records of batches. On the disk of the journals: both are full at the same time. */
  recordsFolder: string
  /** For the index of first visits, which can be deleted at any time. */
  visitsFolder: string
}

export type BatchesRecovery = Pick<RecoveryOptions<Database>, 'isComing'> & {
  /**
   * Called before files are adopted, or taken out. The result runs in the transaction that does it,
   * and gets what differed: the numbers by which counters are corrected, and hits.
   */
  changing?: (
    adopted: readonly ScanSegment[],
  ) => Promise<(tx: Database, found: { corrected: CodeCounts; hits: LedgerDifference }) => Promise<void>>
  /** Whether this process has read all files, in an earlier recovery. */
  hasRead?: boolean
  signal: AbortSignal
}

/** Opens the folders. `FileBatches.recover` must follow. Throws errors of the file system. */
export async function openFileBatches(
  { recordsFolder, visitsFolder }: FilePlaces,
  {
    parquet,
    isOwn,
    ...options
  }: Omit<FileBatchesOptions, 'records' | 'files' | 'visits' | 'bound' | 'folder'> & {
    parquet: ParquetFiles
    /** Whether records in a folder belong to this installation; by default, they do. */
    isOwn?: (dir: string) => boolean
  },
): Promise<FileBatches> {
  const records = new RecordFiles(new RecordLog(recordsFolder, options.clock, isOwn))
  const files = new ScanFiles({ records, parquet })
  return new FileBatches({
    ...options,
    records,
    files,
    visits: await VisitIndex.open({ folder: visitsFolder }),
    bound: await DeletedBound.open(parquet.folder),
    folder: parquet.folder,
  })
}

/** A disk may damage files that nobody reads. */
const trustMsMax = 7 * 86_400_000

/** The scans in files, as the worker writes them: batches of journals and of imports. */
export class FileBatches {
  readonly #store: SegmentStore<SegmentBlock, Database>
  readonly #files: ScanFiles
  readonly #records: RecordFiles
  readonly #visits: VisitIndex
  readonly #bound: DeletedBound
  readonly #folder: string
  readonly #clock: () => number
  #returned = new Map<string, number>()
  /** When listed files were last read whole. */
  #readAtMs = 0
  readonly #db: Database
  /** Calls that mark scans, or need their marks, follow each other. */
  #turn: Promise<unknown> = Promise.resolve()
  /** Merges and deletions follow each other too. Batches are stored beside them. */
  #maintenance: Promise<unknown> = Promise.resolve()

  constructor({ db, records, files, visits, bound, folder, clock }: FileBatchesOptions) {
    this.#db = db
    this.#bound = bound
    this.#folder = folder
    this.#clock = clock
    this.#files = files
    this.#records = records
    this.#visits = visits
    this.#store = new SegmentStore({
      files,
      catalogue: segmentCatalogue(db),
      clock,
      newId: () => createId('seg'),
      deletedBeforeMs: () => bound.beforeMs,
      countRows,
    })
  }

  /** Whether batches can be stored. If not, `recover` must come first. */
  get isReady(): boolean {
    return this.#store.isRecovered && this.#visits.isCurrent
  }

  /** See `SegmentStore.recover`. Then, the index of first visits has those of all stored scans. */
  async recover(options: BatchesRecovery): Promise<Recovered> {
    return await this.#inTurn(() => this.#recover(options))
  }

  async #recover({ hasRead = false, signal, changing, isComing }: BatchesRecovery): Promise<Recovered> {
    // The folder may be an older one, of which some scans were deleted since.
    const saved = await readRetention(this.#db)
    if (saved !== undefined && saved.beforeMs > this.#bound.beforeMs) await this.#bound.set(saved.beforeMs)
    this.#returned = new Map()
    await ensureInstallation(this.#db)
    const recovered = await this.#store.recover({
      ...(isComing !== undefined && { isComing }),
      recounts: await this.#isAdopted(),
      trusts: async ({ revision }) => hasRead || (await this.#hasReadLately(revision)),
      changing: async (listed, adopted) => {
        const days = await this.#daysOf(listed)
        const also = await changing?.(adopted)
        return async (tx, corrected) => {
          const hits = await this.#balance(tx, days)
          await also?.(tx, { corrected, hits })
        }
      },
    })
    const { segments, marks } = recovered.manifest
    await this.#beginLedger(segments)
    await this.#visits.catchUp({
      covered: coveredBy(recovered.manifest),
      marksVersion: marks,
      read: (stretches) =>
        this.#files.uniqueScansOf(
          segments
            .filter((segment) => findOverlap([...segment.stretches, ...stretches]) !== undefined)
            .map(({ id }) => id),
          stretches,
        ),
      signal,
    })
    return recovered
  }

  /** The operator wants all figures to be those of the files: see `claimFiles`. */
  async #isAdopted(): Promise<boolean> {
    const installation = await readInstallation(this.#db)
    return installation?.scansCountedAtMs === null && (await hasScanDays(this.#db))
  }

  /** Before the first count, the catalogue has nothing to compare files with. */
  async #beginLedger(segments: readonly ScanSegment[]): Promise<void> {
    if ((await readInstallation(this.#db))?.scansCountedAtMs !== null) return
    const days = await this.#daysOf(segments)
    await inTransaction(this.#db, (tx) => this.#balance(tx, days))
  }

  async #balance(tx: Database, days: readonly StoredDay[]): Promise<LedgerDifference> {
    const difference = await balanceLedger(tx, days, { deletedBeforeMs: this.#bound.beforeMs })
    await updateInstallation(tx, { scansCountedAtMs: this.#clock() })
    return difference
  }

  #daysOf(segments: readonly ScanSegment[]): Promise<StoredDay[]> {
    return this.#files.daysOf(segments.map(({ id }) => id))
  }

  /** Lost scans that were stored again since the last recovery, by organization. */
  get returned(): ReadonlyMap<string, number> {
    return this.#returned
  }

  /** Whether listed files were read whole within a week; if not, they are now. */
  async #hasReadLately(revision: string): Promise<boolean> {
    const nowMs = this.#clock()
    const readAtMs = (await closedFilesReadAt(this.#folder, revision)) ?? 0
    const isLately = readAtMs <= nowMs && readAtMs > nowMs - trustMsMax
    this.#readAtMs = isLately ? readAtMs : nowMs
    return isLately
  }

  checkpointOf(writer: string): number {
    return this.#store.checkpointOf(writer)
  }

  coverage(): BatchCoverage {
    return this.#store.coverage()
  }

  /**
   * Stores the scans of a batch and moves the checkpoint of its writer. Returns false if `recover`
   * must come first. After an error the outcome is unknown, and `recover` must come first, too.
   */
  async store({ read, month, block, coverage, within }: FileBatch): Promise<boolean> {
    const months = block.rows === 0 ? [] : [{ month, rows: block }]
    return await this.#inTurn(async () => {
      const isReturned = this.#lostIn(block, month)
      const counted = {
        days: daysOfBlock(block),
        returned: isReturned === undefined ? [] : daysOfBlock(block, isReturned),
      }
      const withLedger: Within<Database> = (change) =>
        within(async (tx) => {
          const moved = await change(tx)
          // After the lock of the manifest, which a recovery takes first too.
          await addToLedger(tx, counted)
          return moved
        })
      const isStored = await this.#visits.storeBatch(
        months.map(({ rows }) => rows),
        () => this.#store.storeBatch(read, coverage, months, withLedger),
      )
      if (isStored && isReturned !== undefined) this.#countReturned(block, isReturned)
      return isStored
    })
  }

  /** Returns which rows of a block the catalogue has as lost, or undefined if it has none. */
  #lostIn(block: SegmentBlock, month: number): ((row: number) => boolean) | undefined {
    const lost = this.#store.isRecovered ? this.#store.manifest.lost : []
    if (lost.length === 0) return undefined
    const isLost = coverageOf(lost)
    const { writer } = block.texts
    return (row) => isLost({ month, writer: writer.valueOf(row), sequence: Number(block.sequence[row]) })
  }

  #countReturned(block: SegmentBlock, isReturned: (row: number) => boolean): void {
    const { organizationId, class: kinds } = block.texts
    for (let row = 0; row < block.rows; row++) {
      if (kinds.valueOf(row) !== 'human' || !isReturned(row)) continue
      const id = organizationId.valueOf(row)
      this.#returned.set(id, (this.#returned.get(id) ?? 0) + 1)
    }
  }

  /** Scans before this time are deleted, or about to be; 0 if none are. */
  get deletedBeforeMs(): number {
    return this.#bound.beforeMs
  }

  /** Makes that time durable: from then on no file brings older scans back. */
  async setDeletedBefore(beforeMs: number): Promise<void> {
    await this.#bound.set(beforeMs)
  }

  /**
   * Whether batches can be stored, between two of them. If not, `recover` must come first, and
   * calls for old scans do nothing.
   */
  async canStore(): Promise<boolean> {
    return await this.#inTurn(async () => this.isReady)
  }

  /** Whether listed files have scans before a time. */
  async hasScansBefore(beforeMs: number): Promise<boolean> {
    return await this.#inTurn(async () => this.#hasScansBefore(beforeMs))
  }

  /**
   * Deletes the scans before a time that `setDeletedBefore` has made durable, and moves marks,
   * counters and the index of first visits with them, all at once for readers. Batches are stored
   * meanwhile; their scans stay until the next deletion, however old. Can be interrupted anywhere
   * and repeated. Returns false if `recover` must come first.
   */
  async deleteBefore(beforeMs: number): Promise<boolean> {
    return await this.#maintain(async () => {
      const begun = await this.#inTurn(async () => {
        if (!this.isReady) return 'later'
        // The files are written while others have their turns.
        return this.#hasScansBefore(beforeMs) ? { preparing: this.#store.prepareDeletion(beforeMs) } : 'done'
      })
      if (typeof begun === 'string') return begun === 'done'
      const deletion = await begun.preparing
      try {
        return await this.#inTurn(() => this.#finish(deletion))
      } finally {
        await deletion.close()
      }
    })
  }

  async #finish(deletion: Deletion): Promise<boolean> {
    if (!this.isReady || !(await this.#store.finishDeletion(deletion))) return false
    // An index that cannot take the marks over is made again by `recover`.
    await this.#visits.move(deletion.marks.visits(), this.#store.manifest.marks)
    return true
  }

  #hasScansBefore(beforeMs: number): boolean {
    if (!this.isReady) return false
    return this.#store.manifest.segments.some(({ rows, fromMs }) => rows > 0 && fromMs < beforeMs)
  }

  /** Returns the codes of scans in files, with their short codes as they were looked up. */
  codesOf(ids: readonly string[]): Promise<ScannedCode[]> {
    return this.#files.codesOf(ids)
  }

  /** Replaces listed files by one with their scans. See `SegmentStore.merge`. */
  async merge(ids: readonly string[]): Promise<boolean> {
    return await this.#maintain(() => this.#store.merge(ids))
  }

  /**
   * Merges the files that are due first. Returns whether there may be more to merge. Few scans wait
   * unless `isAwake` tells that the engine runs anyway.
   */
  async mergeNext(isAwake: () => Promise<boolean> = async () => true): Promise<boolean> {
    if (!(await this.canStore())) return false
    const { segments } = this.#store.manifest
    const ids = planMerge(segments)
    if (ids !== undefined && !isMergeUrgent(segments) && !(await isAwake())) return false
    return ids !== undefined && (await this.merge(ids))
  }

  /** Counts the scans of a file beforehand. Returns whether one had to be counted. */
  async rollUpNext(): Promise<boolean> {
    if (!(await this.canStore())) return false
    return await this.#maintain(() => this.#files.addRollup(this.#store.manifest.segments))
  }

  /** Removes files that no longer count and that nobody reads. */
  async removeFiles(): Promise<void> {
    if (await this.canStore()) await this.#store.removeFiles()
  }

  /** Makes the index durable: the next start reads fewer scans again. */
  async flush(): Promise<void> {
    await this.#inTurn(async () => {
      if (this.isReady) await this.#visits.flush()
    })
  }

  /** Removes records that are this old and that nothing needs. */
  async trim(olderThanMs: number): Promise<void> {
    await this.#records.trim(olderThanMs)
  }

  /**
   * Makes the index durable, so that the next start reads no scans again, and notes that all listed
   * files are good, so that it does not read them either.
   */
  async close(): Promise<void> {
    await this.#maintain(async () => {
      await this.flush()
      if (!this.isReady) return
      const { revision } = this.#store.manifest
      await markClosed(this.#folder, { revision, readAtMs: this.#readAtMs })
    })
    await this.#visits.close()
    await this.#records.close()
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => {})
    return done
  }

  #maintain<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#maintenance.then(work)
    this.#maintenance = done.catch(() => {})
    return done
  }
}
