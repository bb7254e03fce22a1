import { setTimeout as sleep } from 'node:timers/promises'
import type { ListedScans } from './figures/listed-scans.ts'
import type { Manifest, ScanSegment } from './manifest.ts'
import { parquetPath } from './parquet/parquet-files.ts'
import { addRecentRows, createRecentRows } from './parquet/recent-rows.ts'
import type { ScanEngine } from './parquet/scan-engine.ts'
import type { RecordReader } from './records/record-reader.ts'
import { FoundRollups } from './rollups/found-rollups.ts'
import { SegmentBlock } from './segment-block.ts'

export type ListedFilesOptions = {
  engine: ScanEngine
  /** The folder of files of Parquet. */
  folder: string
  records: Pick<RecordReader, 'read'>
  /**
   * Returns the revision of the manifest, and its segments if that is another one than the reader
   * knows.
   */
  readManifest: (known: string | undefined) => Promise<ReadManifest>
  /** See `rolledScansMin`. */
  rolledScansMin?: number
}

export type ReadManifest = Pick<Manifest, 'revision'> & { segments: readonly ScanSegment[] | undefined }

/** Adding a record takes some milliseconds, however few scans it has: many are added together. */
const addedRowsMax = 20_000
/** A query may still read a table that no new one uses. */
const keptMs = 120_000

/**
 * The scans that the manifest lists, for readers: files, and a table with the scans of records,
 * which no file has yet. So a scan is in the figures as soon as its batch is committed.
 */
export class ListedFiles {
  readonly #options: ListedFilesOptions
  #revision: string | undefined
  /** Files of Parquet. */
  #files: readonly (ScanSegment & { path: string })[] = []
  #listed: ListedScans = { files: [], recent: undefined }
  readonly #rollups: FoundRollups
  /** The records whose scans are in the table. */
  readonly #recent = new Set<string>()
  #turn: Promise<unknown> = Promise.resolve()

  constructor(options: ListedFilesOptions) {
    this.#options = options
    this.#rollups = new FoundRollups(options.engine, options.rolledScansMin)
  }

  /** Returns the scans of this moment. Throws if the manifest, or a record, cannot be read. */
  read(): Promise<ListedScans> {
    const read = this.#turn.then(() => this.#read())
    this.#turn = read.catch(() => {})
    return read
  }

  async #read(): Promise<ListedScans> {
    const { folder, readManifest } = this.#options
    const { revision, segments } = await readManifest(this.#revision)
    if (segments === undefined) {
      // Rollups are made after their files were listed.
      if (this.#rollups.isMissing(this.#files)) await this.#list(this.#listed.recent)
      return this.#listed
    }
    // After an error on the way, nothing counts as read.
    const before = this.#listed.recent
    const table = isWithin(this.#recent, segments) ? before : undefined
    if (table === undefined) this.#recent.clear()
    this.#revision = undefined
    this.#listed = { files: [], recent: undefined }
    try {
      const recent = await this.#addRecent(table, segments)
      this.#files = segments
        .filter(({ level }) => level > 0)
        .map((segment) => ({ ...segment, path: parquetPath(folder, segment) }))
      await this.#list(recent)
      this.#revision = revision
      return this.#listed
    } finally {
      if (before !== undefined && before !== this.#listed.recent) this.#dropLater(before)
    }
  }

  /** Lists the files with the rollups that they have now. */
  async #list(recent: string | undefined): Promise<void> {
    const rollups = await this.#rollups.of(this.#files)
    const files = this.#files.map(({ id, path, fromMs, toMs }) => ({
      path,
      fromMs,
      toMs,
      rollup: rollups.get(id),
    }))
    this.#listed = { files, recent }
  }

  /** After an error of the engine: somebody may have removed a rollup. */
  forgetRollups(): void {
    this.#rollups.forget()
  }

  /** Adds the scans of records to a table, a new one if there is none. */
  async #addRecent(known: string | undefined, segments: readonly ScanSegment[]): Promise<string | undefined> {
    const { engine, records } = this.#options
    const added = segments.filter(({ id, level }) => level === 0 && !this.#recent.has(id))
    if (added.length === 0) return known
    const table = known ?? (await createRecentRows(engine))
    let rows = new SegmentBlock()
    for await (const [id, block] of records.read(added.map((segment) => segment.id))) {
      this.#recent.add(id)
      rows.addFrom(block, () => true)
      if (rows.rows < addedRowsMax) continue
      await addRecentRows(engine, table, rows)
      rows = new SegmentBlock()
    }
    if (rows.rows > 0) await addRecentRows(engine, table, rows)
    return table
  }

  #dropLater(table: string): void {
    void sleep(keptMs, undefined, { ref: false })
      .then(() => this.#options.engine.change(`drop table ${table}`))
      // The engine was closed meanwhile, and the table with it.
      .catch(() => {})
  }
}

/** Whether all records whose scans are in a table are still listed. */
function isWithin(recent: ReadonlySet<string>, segments: readonly ScanSegment[]): boolean {
  const ids = new Set(segments.map(({ id }) => id))
  return [...recent].every((id) => ids.has(id))
}
