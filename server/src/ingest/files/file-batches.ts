import type { SegmentBlock } from '../../analytics/files/segment-block.ts'
import { coveredBy, type ReadStretch } from '../../analytics/files/manifest.ts'
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
import { planMerge } from '../../analytics/files/plan-merge.ts'
import { findOverlap } from '../../analytics/files/stretches.ts'
import { VisitIndex } from '../../analytics/files/visits/visit-index.ts'
import { countRows, RecordFiles } from '../../analytics/files/records/record-files.ts'
import type { Database } from '../../db/database.ts'
import { RecordLog } from '../../analytics/insert/record-log.ts'
import { createId } from '../../ids.ts'
import { segmentCatalogue } from './segment-catalogue.ts'

export type FileBatchesOptions = {
  db: Database
  records: RecordFiles
  files: ScanFiles
  visits: VisitIndex
  clock: () => number
  /** Scans before this time were deleted. */
  deletedBeforeMs: () => number
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

/** Opens the folders. `FileBatches.recover` must follow. Throws errors of the file system. */
export async function openFileBatches(
  { recordsFolder, visitsFolder }: FilePlaces,
  {
    parquet,
    isOwn,
    ...options
  }: Omit<FileBatchesOptions, 'records' | 'files' | 'visits'> & {
    parquet: ParquetFiles
    /** Whether records in a folder belong to this installation; by default, they do. */
    isOwn?: (dir: string) => boolean
  },
): Promise<FileBatches> {
  const { clock, deletedBeforeMs } = options
  const records = new RecordFiles(new RecordLog(recordsFolder, clock, isOwn))
  const files = new ScanFiles({ records, parquet, deletedBeforeMs })
  return new FileBatches({
    ...options,
    records,
    files,
    visits: await VisitIndex.open({ folder: visitsFolder }),
  })
}

/** The scans in files, as the worker writes them: batches of journals and of imports. */
export class FileBatches {
  readonly #store: SegmentStore<SegmentBlock, Database>
  readonly #files: ScanFiles
  readonly #records: RecordFiles
  readonly #visits: VisitIndex

  constructor({ db, records, files, visits, clock, deletedBeforeMs }: FileBatchesOptions) {
    this.#files = files
    this.#records = records
    this.#visits = visits
    this.#store = new SegmentStore({
      files,
      catalogue: segmentCatalogue(db),
      clock,
      newId: () => createId('seg'),
      deletedBeforeMs,
      countRows,
    })
  }

  /** Whether batches can be stored. If not, `recover` must come first. */
  get isReady(): boolean {
    return this.#store.isRecovered && this.#visits.isCurrent
  }

  /** See `SegmentStore.recover`. Then, the index of first visits has those of all stored scans. */
  async recover(options: RecoveryOptions<Database> & { signal: AbortSignal }): Promise<Recovered> {
    const recovered = await this.#store.recover(options)
    const { segments } = recovered.manifest
    await this.#visits.catchUp({
      covered: coveredBy(recovered.manifest),
      read: (stretches) =>
        this.#files.uniqueScansOf(
          segments
            .filter((segment) => findOverlap([...segment.stretches, ...stretches]) !== undefined)
            .map(({ id }) => id),
          stretches,
        ),
      signal: options.signal,
    })
    return recovered
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
    return await this.#visits.storeBatch(
      months.map(({ rows }) => rows),
      () => this.#store.storeBatch(read, coverage, months, within),
    )
  }

  /** Returns the codes of scans in files, with their short codes as they were looked up. */
  codesOf(ids: readonly string[]): Promise<ScannedCode[]> {
    return this.#files.codesOf(ids)
  }

  /** Replaces listed files by one with their scans. See `SegmentStore.merge`. */
  async merge(ids: readonly string[]): Promise<boolean> {
    return await this.#store.merge(ids)
  }

  /** Merges the files that are due first. Returns whether there may be more to merge. */
  async mergeNext(): Promise<boolean> {
    if (!this.isReady) return false
    const ids = planMerge(this.#store.manifest.segments)
    return ids !== undefined && (await this.#store.merge(ids))
  }

  /** Removes files that no longer count and that nobody reads. */
  async removeFiles(): Promise<void> {
    if (this.isReady) await this.#store.removeFiles()
  }

  /** Makes the index durable: the next start reads fewer scans again. */
  async flush(): Promise<void> {
    if (this.isReady) await this.#visits.flush()
  }

  /** Removes records that are this old and that nothing needs. */
  async trim(olderThanMs: number): Promise<void> {
    await this.#records.trim(olderThanMs)
  }

  /** Makes the index durable, so that the next start reads no scans again. */
  async close(): Promise<void> {
    if (this.#visits.isCurrent) await this.#visits.flush()
    await this.#visits.close()
    await this.#records.close()
  }
}
