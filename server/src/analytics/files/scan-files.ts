import type { ScanRow } from '../insert/scan-row.ts'
import type { StoredDay } from '../insert/stored-scans.ts'
import { sumOfDays } from './days-of-block.ts'
import type { ScannedCode } from './file-contents.ts'
import type { ScanSegment } from './manifest.ts'
import type { MarkMoves, MarkSearch } from './mark-moves.ts'
import { MarkTable } from './parquet/mark-table.ts'
import { stateOfFile, type FileState } from './parquet/look-at-files.ts'
import { marksIn, parquetPath, type ParquetFiles } from './parquet/parquet-files.ts'
import type { SegmentBlock } from './segment-block.ts'
import type { RecordFiles } from './records/record-files.ts'
import type { FoundFile } from './recovery.ts'
import type { CodeCounts } from './code-counts.ts'
import type { Combination, SegmentFiles } from './segment-files.ts'
import { monthOf } from '../insert/one-month.ts'
import { coverageOf, type Stretch } from './stretches.ts'
import type { FirstVisit } from './visits/visit-index.ts'

/**
 * All files of scans: a batch is a record, which needs no engine; records are combined into a file
 * of Parquet, and these into larger ones.
 */
export class ScanFiles implements SegmentFiles<SegmentBlock> {
  readonly #records: RecordFiles
  readonly #parquet: ParquetFiles
  readonly #visitorsAtOnce: number | undefined

  /** `visitorsAtOnce` bounds the memory in which marks are looked for: see `MarkTableOptions`. */
  constructor({
    records,
    parquet,
    visitorsAtOnce,
  }: {
    records: RecordFiles
    parquet: ParquetFiles
    visitorsAtOnce?: number
  }) {
    this.#visitorsAtOnce = visitorsAtOnce
    this.#records = records
    this.#parquet = parquet
  }

  write(id: string, stretches: readonly Stretch[], block: SegmentBlock): Promise<ScanSegment> {
    return this.#records.write(id, stretches, block)
  }

  /** Combines either records or files of Parquet. */
  async combine(
    id: string,
    stretches: readonly Stretch[],
    fromIds: readonly string[],
    combination: Combination = {},
  ): Promise<ScanSegment> {
    const records = fromIds.filter((from) => this.#records.has(from))
    if (records.length === 0) return await this.#parquet.combine(id, stretches, fromIds, combination)
    if (records.length < fromIds.length) throw new Error('records and files of scans are combined apart')
    const { fromMs = 0, marks } = combination
    const block = await this.#records.combined(stretches, records, fromMs)
    if (marks !== undefined) await this.#mark(block, marks, records)
    return await this.#parquet.write(id, stretches, block)
  }

  async list(trusted?: ReadonlyMap<string, ScanSegment>): Promise<FoundFile[]> {
    return [...(await this.#records.list(trusted)), ...(await this.#parquet.list(trusted))]
  }

  /** Looks at a listed file: at its size and its ends, or at all of its bytes. */
  stateOf(segment: ScanSegment, isWhole: boolean): Promise<FileState> {
    return segment.level === 0
      ? this.#records.stateOf(segment, isWhole)
      : stateOfFile(parquetPath(this.#parquet.folder, segment), segment, { isWhole })
  }

  sync(id: string): Promise<void> {
    return this.#of(id).sync(id)
  }

  countOf(id: string): Promise<CodeCounts> {
    return this.#of(id).countOf(id)
  }

  /** Returns the hits of files by writer and day. */
  async daysOf(ids: readonly string[]): Promise<StoredDay[]> {
    const days: StoredDay[] = []
    for (const id of ids) days.push(...(await this.#of(id).daysOf(id)))
    return sumOfDays(days)
  }

  async remove(id: string): Promise<void> {
    await this.#of(id).remove(id)
  }

  async findMarks(search: MarkSearch): Promise<MarkMoves> {
    const options = {
      engine: this.#parquet.engine,
      pathOf: (id: string) => (this.#records.has(id) ? undefined : this.#parquet.pathsOf([id])[0]),
      readRecord: (id: string) => this.#records.read(id),
      ...(this.#visitorsAtOnce !== undefined && { visitorsAtOnce: this.#visitorsAtOnce }),
    }
    return await MarkTable.find(options, search)
  }

  /** Yields the unique scans of files that are in the stretches. */
  async *uniqueScansOf(
    ids: readonly string[],
    stretches: readonly Stretch[],
  ): AsyncGenerator<readonly FirstVisit[]> {
    const isIn = coverageOf(stretches)
    for (const id of ids)
      for await (const scans of this.#of(id).uniqueScansOf(id))
        yield scans.filter((scan) =>
          isIn({ ...scan, month: monthOf(scan.timeMs), sequence: Number(scan.sequence) }),
        )
  }

  /** Yields the scans of a file, some ten thousand at a time. */
  scansOf(id: string): AsyncGenerator<ScanRow[]> {
    return this.#of(id).scansOf(id)
  }

  /** Returns the codes of scans in files, with their short codes as they were looked up. */
  async codesOf(ids: readonly string[]): Promise<ScannedCode[]> {
    const codes = new Map<string, ScannedCode>()
    for (const id of ids)
      for (const code of await this.#of(id).codesOf(id)) codes.set(JSON.stringify(Object.values(code)), code)
    return [...codes.values()]
  }

  /** See `ParquetFiles.addRollup`. */
  addRollup(segments: readonly ScanSegment[]): Promise<boolean> {
    return this.#parquet.addRollup(segments)
  }

  /** Gives the rows of records the marks that they have now. */
  async #mark(block: SegmentBlock, marks: MarkMoves, records: readonly string[]): Promise<void> {
    const { engine } = this.#parquet
    const rows = await engine.rows(`select writer, sequence, is_unique from ${marksIn(marks, records)}`)
    const changed = new Map(
      rows.map(([writer, sequence, isUnique]) => [
        `${String(writer)} ${String(sequence)}`,
        isUnique === true,
      ]),
    )
    for (let row = 0; row < block.rows; row++) {
      const isUnique = changed.get(`${block.texts.writer.valueOf(row)} ${block.sequence[row]}`)
      if (isUnique !== undefined) block.isUnique[row] = Number(isUnique)
    }
  }

  #of(id: string): RecordFiles | ParquetFiles {
    return this.#records.has(id) ? this.#records : this.#parquet
  }
}
