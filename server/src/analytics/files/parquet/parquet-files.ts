import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ScanRow } from '../../insert/scan-row.ts'
import type { StoredDay } from '../../insert/stored-scans.ts'
import { checksumOf, filesIn, unfinishedEnding, withFile } from '../file-bytes.ts'
import { codeKey, type CodeCount, type CodeCounts } from '../code-counts.ts'
import { type Combination, type SegmentFiles } from '../segment-files.ts'
import type { ScanSegment } from '../manifest.ts'
import type { MarkMoves } from '../mark-moves.ts'
import type { FoundFile } from '../recovery.ts'
import type { ScannedCode, UniqueScan } from '../file-contents.ts'
import { RollupFiles } from '../rollups/rollup-files.ts'
import { isCovered, type Stretch } from '../stretches.ts'
import type { FileWrites } from './file-writes.ts'
import { pathList, quoted, rowsOfFiles } from './file-sql.ts'
import {
  changesOf,
  fileName,
  hasSize,
  monthFolder,
  namedFilesIn,
  rangeOf,
  readSegmentFile,
  type Facts,
  type NamedFile,
} from './look-at-files.ts'
import type { SegmentBlock } from '../segment-block.ts'
import { scanRowsOf } from './scan-rows.ts'

/** A group of rows of a file. */
const rowsAtOnce = 61_440

export type ParquetFilesOptions = {
  folder: string
  engine: FileWrites
  /** See `rolledScansMin`. */
  rolledScansMin?: number
}

/**
 * Files of scans in Parquet: `MONTH/ID-CHECKSUM.parquet`, each written under another name, made
 * durable, and then renamed. A name that has its checksum tells damage of a file that nothing else
 * knows.
 */
export class ParquetFiles implements Omit<SegmentFiles<SegmentBlock>, 'findMarks'> {
  readonly #folder: string
  readonly #engine: FileWrites
  readonly #rollups: RollupFiles
  readonly #known = new Map<string, { path: string; segment: ScanSegment }>()
  /** Files that were read and are not good, by path: they are read again once they have changed. */
  readonly #damaged = new Map<string, string>()

  private constructor({ folder, engine, rolledScansMin }: ParquetFilesOptions) {
    this.#folder = folder
    this.#engine = engine
    this.#rollups = new RollupFiles(engine, rolledScansMin)
  }

  /**
   * Opens a folder, which the engine may use, and removes what an earlier process left unfinished.
   * Only one process may have it open. Throws errors of the file system.
   */
  static async open(options: ParquetFilesOptions): Promise<ParquetFiles> {
    const { folder } = options
    await mkdir(folder, { recursive: true, mode: 0o700 })
    for (const { path, name } of await filesIn(folder)) if (name.endsWith(unfinishedEnding)) await rm(path)
    return new ParquetFiles(options)
  }

  async write(id: string, stretches: readonly Stretch[], block: SegmentBlock): Promise<ScanSegment> {
    return await this.#writeFile({ id, level: 1, stretches }, (path, facts) =>
      this.#engine.writeBlock(block, { path, facts }),
    )
  }

  /** Writes a file with all scans of a file that is none of these. */
  async writeFrom(id: string, stretches: readonly Stretch[], path: string): Promise<ScanSegment> {
    return await this.#writeFile({ id, level: 1, stretches }, (to, facts) =>
      this.#engine.writeMerged({ from: [path], where: 'true' }, { path: to, facts }),
    )
  }

  async combine(
    id: string,
    stretches: readonly Stretch[],
    fromIds: readonly string[],
    { fromMs = 0, marks }: Combination = {},
  ): Promise<ScanSegment> {
    const sources = fromIds.map((from) => this.#knownFile(from))
    const highest = Math.max(...sources.map(({ segment }) => segment.level))
    // A file of one file did not grow.
    const level = sources.length === 1 ? highest : highest + 1
    const where = [
      `time >= make_timestamp_ms(${fromMs})`,
      ...conditionOf(
        stretches,
        sources.flatMap(({ segment }) => segment.stretches),
      ),
    ].join(' and ')
    const from = sources.map(({ path }) => path)
    return await this.#writeFile({ id, level, stretches }, (path, facts) =>
      this.#engine.writeMerged({ from, where, marks: marks && marksIn(marks, fromIds) }, { path, facts }),
    )
  }

  async list(trusted: ReadonlyMap<string, ScanSegment> = new Map()): Promise<FoundFile[]> {
    const found: FoundFile[] = []
    const before = new Set(this.#known.keys())
    for (const file of await namedFilesIn(this.#folder)) {
      found.push(await this.#look(file, trusted.get(file.id)))
      before.delete(file.id)
    }
    for (const id of before) this.#known.delete(id)
    await this.#rollups.takeOver(this.#folder, (id) => this.#known.has(id))
    return found
  }

  /** Counts the scans of one of these files that has no rollup. Returns whether there was one. */
  async addRollup(segments: readonly ScanSegment[]): Promise<boolean> {
    const next = segments.find(({ id, rows }) => this.#known.has(id) && !this.#rollups.isDone({ id, rows }))
    if (next === undefined) return false
    await this.#rollups.write(next.id, this.#knownFile(next.id).path)
    return true
  }

  async sync(id: string): Promise<void> {
    const { path } = this.#knownFile(id)
    await withFile(path, (file) => file.sync())
    await this.#syncFolders(path)
  }

  async countOf(id: string): Promise<CodeCounts> {
    const { path } = this.#knownFile(id)
    const rows = await this.#engine.rows(`select organization_id::varchar, qr_code_id::varchar,
           count(*) filter (where class = 'human'), count(*) filter (where is_unique)
         from ${rowsOfFiles([path])}
         group by all
         having count(*) filter (where class = 'human') > 0`)
    return new Map(
      rows.map(([organizationId, qrCodeId, scans, uniqueScans]): [string, CodeCount] => [
        codeKey({ organizationId: String(organizationId), qrCodeId: String(qrCodeId) }),
        { scans: Number(scans), uniqueScans: Number(uniqueScans) },
      ]),
    )
  }

  async daysOf(id: string): Promise<StoredDay[]> {
    return await daysOfFiles(this.#engine, this.pathsOf([id]))
  }

  /** Yields the scans of a file that are unique, some ten thousand at a time. */
  async *uniqueScansOf(id: string): AsyncGenerator<UniqueScan[]> {
    const { path, segment } = this.#knownFile(id)
    for (let from = 0; from < segment.rows; from += rowsAtOnce) {
      const rows = await this.#engine
        .rows(`select organization_id::varchar, qr_code_id::varchar, replace(visitor::varchar, '-', ''),
             writer::varchar, sequence, epoch_ms(time)
           from read_parquet(${pathList([path])}, file_row_number = true)
           where is_unique and file_row_number >= ${from} and file_row_number < ${from + rowsAtOnce}`)
      yield rows.map(([organizationId, qrCodeId, visitor, writer, sequence, timeMs]) => ({
        organizationId: String(organizationId),
        qrCodeId: String(qrCodeId),
        visitor: String(visitor),
        writer: String(writer),
        sequence: BigInt(String(sequence)),
        timeMs: Number(timeMs),
      }))
    }
  }

  scansOf(id: string): AsyncGenerator<ScanRow[]> {
    const { path, segment } = this.#knownFile(id)
    return scanRowsOf(this.#engine, { path, rows: segment.rows })
  }

  async codesOf(id: string): Promise<ScannedCode[]> {
    const { path } = this.#knownFile(id)
    const rows = await this.#engine
      .rows(`select distinct organization_id::varchar, qr_code_id::varchar, short_code::varchar, domain::varchar
         from ${rowsOfFiles([path])}`)
    return rows.map(([organizationId, qrCodeId, shortCode, domain]) => ({
      organizationId: String(organizationId),
      qrCodeId: String(qrCodeId),
      shortCode: String(shortCode),
      domain: String(domain),
    }))
  }

  async remove(id: string): Promise<void> {
    await this.#rollups.remove(id)
    await rm(this.#knownFile(id).path)
    this.#known.delete(id)
  }

  get folder(): string {
    return this.#folder
  }

  get engine(): FileWrites {
    return this.#engine
  }

  /** Returns the paths of files, for queries. Throws for one that was not found or written here. */
  pathsOf(ids: readonly string[]): string[] {
    return ids.map((id) => this.#knownFile(id).path)
  }

  async #writeFile(
    facts: Facts,
    write: (path: string, facts: string) => Promise<void>,
  ): Promise<ScanSegment> {
    const month = join(this.#folder, monthFolder(facts))
    await mkdir(month, { recursive: true, mode: 0o700 })
    const unfinished = join(month, facts.id + unfinishedEnding)
    try {
      await write(unfinished, JSON.stringify(facts))
      const range = await rangeOf(this.#engine, unfinished)
      const segment = { ...facts, ...(await checksumOf(unfinished)), ...range }
      const path = parquetPath(this.#folder, segment)
      await rename(unfinished, path)
      await this.#syncFolders(path)
      this.#known.set(facts.id, { path, segment })
      return segment
    } catch (error) {
      // The next try has another id: nobody would remove it before the next start.
      await rm(unfinished, { force: true })
      throw error
    }
  }

  /** Looks at a file: only at its size and its ends if it is trusted. */
  async #look(file: NamedFile, trusted: ScanSegment | undefined): Promise<FoundFile> {
    const { path, id, checksum } = file
    const isTrusted = trusted?.checksum === checksum && (await hasSize(path, trusted.bytes))
    const segment = isTrusted ? trusted : await this.#read(file)
    if (segment === undefined) {
      const nothing = { level: 0, rows: 0, bytes: 0, fromMs: 0, toMs: 0, stretches: [] }
      return { id, checksum, ...nothing, hasPurged: false, isGood: false }
    }
    this.#known.set(id, { path, segment })
    return { ...segment, hasPurged: false, isGood: true }
  }

  /** Reads a file whole, unless it was damaged before and nothing has changed it. */
  async #read(file: NamedFile): Promise<ScanSegment | undefined> {
    const { path } = file
    const state = await changesOf(path)
    if (this.#damaged.get(path) === state) return undefined
    const segment = await readSegmentFile(this.#engine, file)
    if (segment === undefined) this.#damaged.set(path, state)
    else this.#damaged.delete(path)
    return segment
  }

  #knownFile(id: string): { path: string; segment: ScanSegment } {
    const known = this.#known.get(id)
    if (known === undefined) throw new Error(`there is no file of scans ${id}`)
    return known
  }

  /** The folder of a month may be new, so the one above it is synced too. */
  async #syncFolders(path: string): Promise<void> {
    for (const folder of [dirname(path), this.#folder]) await withFile(folder, (file) => file.sync())
  }
}

/** Returns the hits of files by writer and day. */
export async function daysOfFiles(
  engine: Pick<FileWrites, 'rows'>,
  paths: readonly string[],
): Promise<StoredDay[]> {
  const rows = await engine.rows(
    `select writer::varchar, epoch_ms(time) // 86400000, count(*) from ${rowsOfFiles(paths)} group by all`,
  )
  return rows.map(([writer, day, hits]) => ({
    writer: String(writer),
    day: Number(day),
    hits: Number(hits),
  }))
}

/** Returns SQL for the scans of some files whose marks move. */
export function marksIn({ name }: Pick<MarkMoves, 'name'>, ids: readonly string[]): string {
  return `(select writer, sequence, is_unique from ${name} where file in (${ids.map(quoted).join(', ')}))`
}

/** Returns the path of a file in the folder of all. */
export function parquetPath(
  folder: string,
  segment: Pick<ScanSegment, 'id' | 'checksum' | 'stretches'>,
): string {
  return join(folder, monthFolder(segment), fileName(segment))
}

/** Returns SQL for the scans in stretches, or nothing if they have all scans of `all`. */
function conditionOf(stretches: readonly Stretch[], all: readonly Stretch[]): string[] {
  if (isCovered(all, stretches)) return []
  const ranges = stretches.map(({ writer, from, to }) => `(${quoted(writer)}, ${from}, ${to})`)
  return [
    `exists (
       select 1 from (values ${ranges.join(', ')}) as kept (writer_of, after, up_to)
       where writer_of = writer and sequence > after and sequence <= up_to)`,
  ]
}
