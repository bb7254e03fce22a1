import type { SegmentBlock } from '../../analytics/files/segment-block.ts'
import type { CodeCounts } from '../../analytics/files/code-counts.ts'
import { daysOfBlock } from '../../analytics/files/days-of-block.ts'
import { coveredBy, type ReadStretch, type ScanSegment } from '../../analytics/files/manifest.ts'
import type { ScannedCode } from '../../analytics/files/file-contents.ts'
import type { ScanFiles } from '../../analytics/files/scan-files.ts'
import {
  SegmentStore,
  type BatchCoverage,
  type Recovered,
  type RecoveryOptions,
  type Within,
} from '../../analytics/files/segment-store.ts'
import { isMergeUrgent, planMerge } from '../../analytics/files/plan-merge.ts'
import { findOverlap } from '../../analytics/files/stretches.ts'
import type { Deletion } from '../../analytics/files/deletion.ts'
import type { DeletedBound } from '../../analytics/files/deleted-bound.ts'
import type { VisitIndex } from '../../analytics/files/visits/visit-index.ts'
import { countRows, type RecordFiles } from '../../analytics/files/records/record-files.ts'
import { inTransaction, type Database } from '../../db/database.ts'
import { ensureInstallation, readInstallation, updateInstallation } from '../../db/installation.ts'
import { readRetention } from '../../db/scans/scan-counters.ts'
import { hasScanDays } from '../../db/scans/scan-days.ts'
import type { StoredDay } from '../../analytics/insert/stored-scans.ts'
import { createId } from '../../ids.ts'
import { FileWatch } from './file-watch.ts'
import { lostRows, returnedScans } from './returned-scans.ts'
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
  /** Throws if the folders are not those of this installation, as when a disk is not mounted. */
  requireOwn?: () => Promise<void>
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

/** The scans in files, as the worker writes them: batches of journals and of imports. */
export class FileBatches {
  readonly #store: SegmentStore<SegmentBlock, Database>
  readonly #files: ScanFiles
  readonly #records: RecordFiles
  readonly #visits: VisitIndex
  readonly #bound: DeletedBound
  readonly #watch: FileWatch
  readonly #clock: () => number
  readonly #requireOwn: () => Promise<void>
  readonly #db: Database
  /** Calls that mark scans, or need their marks, follow each other. */
  #turn: Promise<unknown> = Promise.resolve()
  /** Merges and deletions follow each other too. Batches are stored beside them. */
  #maintenance: Promise<unknown> = Promise.resolve()

  constructor({
    db,
    records,
    files,
    visits,
    bound,
    folder,
    clock,
    requireOwn = async () => {},
  }: FileBatchesOptions) {
    this.#requireOwn = requireOwn
    this.#db = db
    this.#bound = bound
    this.#clock = clock
    this.#files = files
    this.#records = records
    this.#visits = visits
    this.#watch = new FileWatch({
      folder,
      clock,
      stateOf: (segment, isWhole) => files.stateOf(segment, isWhole),
    })
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
    await this.#requireOwn()
    // The file that records are appended to may be gone or torn.
    await this.#records.close()
    // The folder may be an older one, of which some scans were deleted since.
    const saved = await readRetention(this.#db)
    if (saved !== undefined && saved.beforeMs > this.#bound.beforeMs) await this.#bound.set(saved.beforeMs)
    await ensureInstallation(this.#db)
    const recovered = await this.#store.recover({
      ...(isComing !== undefined && { isComing }),
      recounts: await this.#isAdopted(),
      trusted: (manifest) => this.#watch.trusted(manifest, hasRead),
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
      const lost = this.#store.isRecovered ? this.#store.manifest.lost : []
      const isReturned = lostRows(lost, block, month)
      const counted = {
        days: daysOfBlock(block),
        returned: isReturned && {
          days: daysOfBlock(block, isReturned),
          scans: returnedScans(block, isReturned),
        },
      }
      const withLedger: Within<Database> = (change) =>
        within(async (tx) => {
          const moved = await change(tx)
          // After the lock of the manifest, which a recovery takes first too.
          await addToLedger(tx, counted)
          return moved
        })
      return await this.#visits.storeBatch(
        months.map(({ rows }) => rows),
        () => this.#store.storeBatch(read, coverage, months, withLedger),
      )
    })
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

  /**
   * Looks at the sizes of listed files, or reads some of them whole. Returns those that are missing
   * or damaged: `recover` must then come first.
   */
  async watchFiles(how: 'look' | 'readNext', signal: AbortSignal): Promise<readonly ScanSegment[]> {
    if (!(await this.canStore())) return []
    const wrong = await this.#watch[how](this.#store.manifest.segments, signal)
    return wrong.length === 0 ? [] : await this.#store.doubt(wrong)
  }

  /** The listed files, and when all of them were last read whole; undefined until `recover`. */
  get listed(): { segments: readonly ScanSegment[]; readAtMs: number } | undefined {
    if (!this.#store.isRecovered) return undefined
    return { segments: this.#store.manifest.segments, readAtMs: this.#watch.readAtMs }
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
      await this.#watch.close(this.#store.manifest)
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
