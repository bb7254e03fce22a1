import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ScanSegment } from '../files/manifest.ts'
import { quoted } from '../files/parquet/file-sql.ts'
import type { FileWrites } from '../files/parquet/file-writes.ts'
import type { ParquetFiles } from '../files/parquet/parquet-files.ts'
import { rowsPerGroup } from '../files/parquet/write-segment.ts'
import { planFiles, type PlannedFile } from '../files/plan-files.ts'
import { SegmentBlock } from '../files/segment-block.ts'
import { SequenceSet } from '../files/sequence-set.ts'
import { monthOf } from '../insert/one-month.ts'
import { FirstMarks } from './first-marks.ts'
import { readNativeScans } from './native-scans.ts'

const pieceRows = 50_000
const fileRowsMaxDefault = 1_000_000

export type TakenScansOptions = {
  /** The files of the store, and their engine. */
  parquet: ParquetFiles
  engine: FileWrites
  /** For pieces, in a folder that the engine may use. It is created, and removed at the end. */
  folder: string
  newId: () => string
  /** Default: 1,000,000. */
  fileRowsMax?: number
}

type Month = { sequences: Map<string, SequenceSet>; pieces: string[] }

/**
 * Scans of another store on their way into files: `add` each piece of a copy, in any order, then
 * `finish`. A scan that comes twice is taken once.
 *
 * Pieces are by code and time, and the files of a store are by writer and sequence, so that they
 * say in few stretches which scans they have. So each piece becomes a file of its own, of which the
 * engine then selects the scans of the files. In memory are 50,000 scans and two bits for each one;
 * the folder takes as much as the files, and half as much again for first scans.
 */
export class TakenScans {
  readonly #options: TakenScansOptions
  readonly #months = new Map<number, Month>()
  /** The sequences of all months. */
  readonly #sequences = new Map<string, SequenceSet>()
  #blocks = new Map<number, SegmentBlock>()
  #rows = 0
  #files: ScanSegment[] = []
  #paths = 0

  private constructor(options: TakenScansOptions) {
    this.#options = options
  }

  /** Removes what an earlier process left in the folder. */
  static async open(options: TakenScansOptions): Promise<TakenScans> {
    await rm(options.folder, { recursive: true, force: true })
    await mkdir(options.folder, { recursive: true, mode: 0o700 })
    return new TakenScans(options)
  }

  /** The scans that were added, each once, and those of them that are in written files. */
  get progress(): { scans: number; written: number } {
    return { scans: this.#rows, written: this.#files.reduce((sum, { rows }) => sum + rows, 0) }
  }

  /**
   * Adds a piece in Native format, also of an earlier release. Returns its rows. Throws a
   * `FatalError` if a later release made it, and an Error for bytes that are not rows. Nothing of
   * such a piece is added.
   */
  async add(native: Buffer): Promise<number> {
    const blocks = readNativeScans(native)
    for (const block of blocks) await this.#addBlock(block)
    return blocks.reduce((sum, { rows }) => sum + rows, 0)
  }

  /**
   * Writes the files that have all scans, and returns them. `checkpoints` are those of the manifest
   * that will list them: see `planFiles`. After an error, or when the signal aborts, no file is
   * left.
   */
  async finish(options: {
    checkpoints: ReadonlyMap<string, number>
    signal: AbortSignal
  }): Promise<ScanSegment[]> {
    const { engine, parquet } = this.#options
    await this.#writePieces()
    options.signal.throwIfAborted()
    if (this.#rows === 0) return []
    const marks = await FirstMarks.find(engine, {
      paths: [...this.#months.values()].flatMap(({ pieces }) => pieces),
      rows: this.#rows,
      writers: [...this.#sequences.keys()],
    })
    try {
      for (const [month, { sequences, pieces }] of [...this.#months].toSorted(([a], [b]) => a - b)) {
        const { fileRowsMax: rowsMax = fileRowsMaxDefault } = this.#options
        const { checkpoints, signal } = options
        for (const planned of planFiles(month, sequences, { all: this.#sequences, checkpoints, rowsMax })) {
          signal.throwIfAborted()
          await this.#writeFile(planned, (where) => marks.marked(pieces, where))
        }
        for (const path of pieces) await rm(path)
      }
      return this.#files
    } catch (error) {
      for (const { id } of this.#files.splice(0)) await parquet.remove(id)
      throw error
    } finally {
      await marks.close()
    }
  }

  /** Removes the folder of pieces. */
  async close(): Promise<void> {
    await rm(this.#options.folder, { recursive: true, force: true })
  }

  async #addBlock(block: SegmentBlock): Promise<void> {
    const months = this.#newScansOf(block)
    for (const month of new Set(months)) {
      if (month === 0) continue
      let target = this.#blocks.get(month)
      if (target === undefined) this.#blocks.set(month, (target = new SegmentBlock()))
      target.addFrom(block, (row) => months[row] === month)
    }
    const waiting = [...this.#blocks.values()].reduce((sum, { rows }) => sum + rows, 0)
    if (waiting >= pieceRows) await this.#writePieces()
  }

  /** Returns the month of each scan that was not added before, and 0 for the others. */
  #newScansOf(block: SegmentBlock): Uint32Array {
    const months = new Uint32Array(block.rows)
    const { writer: writers } = block.texts
    for (let row = 0; row < block.rows; row++) {
      const [writer, sequence] = [writers.valueOf(row), Number(block.sequence[row])]
      if (!sequencesOf(this.#sequences, writer).add(sequence)) continue
      const month = monthOf(block.timeMs[row] ?? 0)
      months[row] = month
      this.#rows++
      let ofMonth = this.#months.get(month)
      if (ofMonth === undefined) this.#months.set(month, (ofMonth = { sequences: new Map(), pieces: [] }))
      sequencesOf(ofMonth.sequences, writer).add(sequence)
    }
    return months
  }

  async #writePieces(): Promise<void> {
    for (const [month, block] of this.#blocks) {
      const path = this.#newPath()
      await this.#options.engine.writeBlock(block, { path, facts: '{}' })
      this.#months.get(month)?.pieces.push(path)
    }
    this.#blocks = new Map()
  }

  async #writeFile({ rows, stretches }: PlannedFile, markedSql: (where: string) => string): Promise<void> {
    const { engine, parquet, newId } = this.#options
    const path = this.#newPath()
    // Files are sorted in memory: one that has only these scans needs least of it.
    await engine.change(
      `copy (${markedSql(conditionOf(stretches))}) to ${quoted(path)}
       (format parquet, compression zstd, row_group_size ${rowsPerGroup})`,
    )
    const file = await parquet.writeFrom(newId(), stretches, path)
    this.#files.push(file)
    await rm(path)
    if (file.rows !== rows) throw new Error(`a file of scans has ${file.rows} of ${rows} scans of a copy`)
  }

  #newPath(): string {
    return join(this.#options.folder, `${this.#paths++}.parquet`)
  }
}

function sequencesOf(all: Map<string, SequenceSet>, writer: string): SequenceSet {
  let sequences = all.get(writer)
  if (sequences === undefined) all.set(writer, (sequences = new SequenceSet()))
  return sequences
}

/** Returns SQL for the scans of a month from the first one of stretches to the last one. */
function conditionOf(stretches: PlannedFile['stretches']): string {
  const [first, last] = [stretches[0], stretches.at(-1)]
  if (first === undefined || last === undefined) return 'false'
  const [from, to] = [quoted(first.writer), quoted(last.writer)]
  return `(scan.writer > ${from} or scan.writer = ${from} and sequence > ${first.from})
    and (scan.writer < ${to} or scan.writer = ${to} and sequence <= ${last.to})`
}
