import { link, open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { daysOfBlock, sumOfDays } from '../files/days-of-block.ts'
import { checksumOf } from '../files/file-bytes.ts'
import type { ScanSegment } from '../files/manifest.ts'
import { daysOfFiles, parquetPath } from '../files/parquet/parquet-files.ts'
import type { FileWrites } from '../files/parquet/file-writes.ts'
import { scanRowsOf } from '../files/parquet/scan-rows.ts'
import type { SegmentRecord } from '../files/records/record-files.ts'
import { SegmentBlock } from '../files/segment-block.ts'
import { contentsOf, rawRecord, type RecordLog, type RecordPlace } from '../insert/record-log.ts'
import type { ScanRow } from '../insert/scan-row.ts'
import type { StoredDay } from '../insert/stored-scans.ts'
import type { CodeFigures } from './code-figures.ts'
import { figuresInFiles, withReadScans } from './figures-in-files.ts'
import { folderOfParts, partBytesMax, partsOf, type FilePart } from './files-in-copies.ts'
import type { MovedPiece, MovedSource } from './moved-scans.ts'
import { nativePieces } from './native-pieces.ts'
import { sumInClickHouse, sumInFiles, type MonthRows } from './row-sums.ts'

export type HeldFilesOptions = {
  /** The files that a manifest lists. */
  listed: readonly ScanSegment[]
  /** The folder of files of Parquet. */
  segments: string
  records: RecordLog<SegmentRecord>
  /**
   * A folder of its own on the same disk, which the engine may read: until somebody removes it, the
   * files stay in it.
   */
  folder: string
  /** An engine that nobody else uses. */
  engine: FileWrites
}

type HeldFile = { segment: ScanSegment; path: string }

/**
 * The files of scans that a manifest lists, while a copy reads them: the service may merge, delete
 * and remove them meanwhile. Files and records that are gone or damaged are left out, and so the
 * copy lacks their hits.
 */
export class HeldFiles {
  readonly #engine: FileWrites
  readonly #folder: string
  readonly #listed: readonly ScanSegment[]
  readonly #files: HeldFile[] = []
  readonly #records: RecordPlace<SegmentRecord>[] = []

  private constructor(engine: FileWrites, folder: string, listed: readonly ScanSegment[]) {
    this.#engine = engine
    this.#listed = listed
    this.#folder = folder
  }

  /** Reads every file once. Throws errors of the file system, but not for single files. */
  static async hold({ listed, segments, records, folder, engine }: HeldFilesOptions): Promise<HeldFiles> {
    const held = new HeldFiles(engine, folder, listed)
    // All of them first: to read them takes longer than they stay.
    for (const segment of listed) if (segment.level > 0) await held.#link(segment, segments)
    await held.#leaveOutDamaged()
    await held.#findRecords(new Set(listed.flatMap(({ id, level }) => (level === 0 ? [id] : []))), records)
    return held
  }

  /** Listed files and records that are gone or damaged. */
  get missing(): readonly ScanSegment[] {
    const ids = new Set([...this.#files.map(({ segment }) => segment), ...this.#records].map(({ id }) => id))
    return this.#listed.filter(({ id }) => !ids.has(id))
  }

  /** Returns the scans as those of a move: see `MovedSource`. */
  moved(): MovedSource {
    return {
      months: async () => this.#months(),
      rowsOf: (month) => this.#rowsOf(month),
      sumSql: sumInClickHouse,
      pieces: (month) => this.#piecesOf(month),
    }
  }

  /** Yields the bytes of all files, each with the scans that it completes. */
  async *parts(): AsyncGenerator<FilePart & { rows: number }, void, undefined> {
    for (const { segment, path } of this.#files) {
      const folder = folderOfParts(segment)
      let number = 0
      for (let from = 0; from < segment.bytes; from += partBytesMax) {
        const bytes = await bytesOf(path, from, Math.min(partBytesMax, segment.bytes - from))
        const isLast = from + partBytesMax >= segment.bytes
        yield { name: `${folder}${numbered(++number)}`, bytes, rows: isLast ? segment.rows : 0 }
      }
    }
    yield* this.#recordParts()
  }

  /** Returns the hits by writer and day. */
  async days(): Promise<StoredDay[]> {
    const days: StoredDay[] = []
    for (const { path } of this.#files) days.push(...(await daysOfFiles(this.#engine, [path])))
    for await (const block of this.#blocks()) days.push(...daysOfBlock(block))
    return sumOfDays(days)
  }

  /** Yields the figures of codes: see `figuresInFiles`. */
  figures(): AsyncGenerator<readonly CodeFigures[], void, undefined> {
    const paths = this.#files.map(({ path }) => path)
    return figuresInFiles(this.#engine, { paths, records: () => this.#blocks() })
  }

  #months(): { month: string; rows: number }[] {
    const months = new Map<string, number>()
    for (const segment of [...this.#files.map((file) => file.segment), ...this.#records]) {
      const month = monthOf(segment)
      months.set(month, (months.get(month) ?? 0) + segment.rows)
    }
    return [...months]
      .map(([month, rows]) => ({ month, rows }))
      .toSorted((a, b) => (a.month < b.month ? -1 : 1))
  }

  async #rowsOf(month: string): Promise<MonthRows> {
    const paths = this.#files.filter(({ segment }) => monthOf(segment) === month).map(({ path }) => path)
    const records = () => this.#blocks((place) => monthOf(place) === month)
    return await withReadScans(this.#engine, { paths, records }, async (scans) => {
      const [[rows, sum] = []] = await this.#engine.rows(`select count(*), ${sumInFiles} from ${scans}`)
      return { month, rows: Number(rows), sum: String(BigInt.asUintN(64, BigInt(String(sum)))) }
    })
  }

  async *#piecesOf(month: string): AsyncGenerator<MovedPiece> {
    for await (const piece of nativePieces(this.#scansOf(month))) yield { ...piece, range: { month } }
  }

  async *#scansOf(month: string): AsyncGenerator<ScanRow[]> {
    for (const { segment, path } of this.#files)
      if (monthOf(segment) === month) yield* scanRowsOf(this.#engine, { path, rows: segment.rows })
    for await (const block of this.#blocks((place) => monthOf(place) === month))
      yield Array.from({ length: block.rows }, (_, row) => block.rowAt(row))
  }

  async #link(segment: ScanSegment, segments: string): Promise<void> {
    const path = parquetPath(segments, segment)
    const held = join(this.#folder, basename(path))
    try {
      await link(path, held)
      this.#files.push({ segment, path: held })
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT') return
      // Some file systems have no second names. A file that is merged stays an hour anyway.
      if (code !== undefined && withoutLinks.has(code)) this.#files.push({ segment, path })
      else throw error
    }
  }

  async #leaveOutDamaged(): Promise<void> {
    for (const file of this.#files.splice(0)) {
      const { bytes, checksum } = file.segment
      const found = await checksumOf(file.path).catch(() => undefined)
      if (found?.bytes === bytes && found.checksum === checksum) this.#files.push(file)
    }
  }

  async #findRecords(wanted: Set<string>, log: RecordLog<SegmentRecord>): Promise<void> {
    for (const path of await log.newestFiles()) {
      if (wanted.size === 0) return
      for await (const place of log.placesIn(path, 0))
        if (wanted.delete(place.id) && (await rawRecord(place)) !== undefined) this.#records.push(place)
    }
  }

  /** A part of records is a whole file of them. */
  async *#recordParts(): AsyncGenerator<FilePart & { rows: number }, void, undefined> {
    let gathered: Buffer[] = []
    let [bytes, rows, number] = [0, 0, 0]
    const part = (): FilePart & { rows: number } => {
      const made = { name: `${partsOf.records}${numbered(++number)}`, bytes: Buffer.concat(gathered), rows }
      gathered = []
      ;[bytes, rows] = [0, 0]
      return made
    }
    for (const place of this.#records) {
      const record = await readHeld(place)
      gathered.push(record)
      bytes += record.length
      rows += place.rows
      if (bytes >= partBytesMax) yield part()
    }
    if (bytes > 0) yield part()
  }

  async *#blocks(isWanted: (place: SegmentRecord) => boolean = () => true): AsyncGenerator<SegmentBlock> {
    for (const place of this.#records.filter(isWanted))
      yield SegmentBlock.fromBytes(await contentsOf(await readHeld(place)))
  }
}

const withoutLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'EXDEV', 'ENOSYS'])

/** A file has scans of one month. */
function monthOf({ stretches }: Pick<ScanSegment, 'stretches'>): string {
  return String(stretches[0]?.month ?? '')
}

function numbered(number: number): string {
  return String(number).padStart(8, '0')
}

/** Records stay for days after they were merged. */
async function readHeld(place: RecordPlace<SegmentRecord>): Promise<Buffer> {
  const record = await rawRecord(place)
  if (record === undefined) throw new Error(`the record ${place.id} in ${place.path} was damaged meanwhile`)
  return record
}

async function bytesOf(path: string, from: number, length: number): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const bytes = Buffer.allocUnsafe(length)
    const { bytesRead } = await file.read(bytes, 0, length, from)
    if (bytesRead !== length) throw new Error(`${path} was cut off meanwhile`)
    return bytes
  } finally {
    await file.close()
  }
}
