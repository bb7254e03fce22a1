import { open, stat } from 'node:fs/promises'
import type { ScanRow } from '../../insert/scan-row.ts'
import type { StoredDay } from '../../insert/stored-scans.ts'
import { rawRecord, readRecord, type RecordLog, type RecordPlace } from '../../insert/record-log.ts'
import type { ScanSegment } from '../manifest.ts'
import { daysOfBlock } from '../days-of-block.ts'
import { SegmentBlock } from '../segment-block.ts'
import { stateOfError, type FileState } from '../parquet/look-at-files.ts'
import type { FoundFile } from '../recovery.ts'
import type { ScannedCode, UniqueScan } from '../file-contents.ts'
import { codeKey, type CodeCount, type CodeCounts } from '../code-counts.ts'
import { coverageOf, type Stretch } from '../stretches.ts'

/** A record says which scans it has. */
export type SegmentRecord = Omit<ScanSegment, 'bytes' | 'checksum'>

/**
 * Level 0 of the files of scans: the record of a batch, which one append and one sync make durable.
 * It is kept for days after it was merged, so that scans of a file that is lost come back.
 */
export class RecordFiles {
  readonly #log: RecordLog<SegmentRecord>
  readonly #places = new Map<string, RecordPlace<SegmentRecord>>()
  /** Records of which other files have all scans. */
  readonly #removable = new Set<string>()

  constructor(log: RecordLog<SegmentRecord>) {
    this.#log = log
  }

  async close(): Promise<void> {
    await this.#log.close()
  }

  has(id: string): boolean {
    return this.#places.has(id)
  }

  async write(id: string, stretches: readonly Stretch[], block: SegmentBlock): Promise<ScanSegment> {
    let [fromMs = 0, toMs = 0] = [block.timeMs[0], block.timeMs[0]]
    for (const timeMs of block.timeMs.subarray(0, block.rows)) {
      fromMs = Math.min(fromMs, timeMs)
      toMs = Math.max(toMs, timeMs)
    }
    const record = { id, level: 0, rows: block.rows, fromMs, toMs, stretches }
    const place = await this.#log.append(record, block.toBytes())
    this.#places.set(id, place)
    return segmentOf(place)
  }

  /** Returns all records. Those that are not trusted are read whole. */
  async list(trusted: ReadonlyMap<string, ScanSegment> = new Map()): Promise<FoundFile[]> {
    const found: FoundFile[] = []
    const before = new Set(this.#places.keys())
    // A record that others had made superfluous may be listed again.
    this.#removable.clear()
    for await (const place of this.#log.places()) {
      this.#places.set(place.id, place)
      before.delete(place.id)
      const segment = segmentOf(place)
      const isTrusted = trusted.get(place.id)?.checksum === segment.checksum
      found.push({
        ...segment,
        hasPurged: false,
        isGood: isTrusted || (await rawRecord(place)) !== undefined,
      })
    }
    // Records that are written meanwhile stay known.
    for (const id of before) this.#places.delete(id)
    return found
  }

  /** Looks at a listed record: at the size of its file, or at all of its bytes. */
  async stateOf({ id, checksum }: ScanSegment, isWhole: boolean): Promise<FileState> {
    const place = this.#places.get(id)
    return place === undefined ? 'missing' : await stateOfRecord(place, checksum, { isWhole })
  }

  /** Makes a record durable that a killed process may have left without. */
  async sync(id: string): Promise<void> {
    const file = await open(this.#placeOf(id).path, 'r')
    try {
      await file.sync()
    } finally {
      await file.close()
    }
  }

  /**
   * A record goes with the others of its file, when `trim` finds that none of them must stay. Holds
   * until the next `list`.
   */
  remove(id: string): void {
    if (this.#places.has(id)) this.#removable.add(id)
  }

  /** Removes files of records that are this old and all of whose records were removed. */
  async trim(olderThanMs: number): Promise<void> {
    const needed = new Set(
      [...this.#places.values()].filter(({ id }) => !this.#removable.has(id)).map(({ path }) => path),
    )
    await this.#log.remove({ olderThanMs, mustStay: (path) => needed.has(path) })
  }

  async read(id: string): Promise<SegmentBlock> {
    return SegmentBlock.fromBytes(await readRecord(this.#placeOf(id)))
  }

  /** Returns the scans of records that are in the stretches, from `fromMs` on. */
  async combined(
    stretches: readonly Stretch[],
    ids: readonly string[],
    fromMs: number,
  ): Promise<SegmentBlock> {
    const { month = 0 } = stretches[0] ?? {}
    const isIn = coverageOf(stretches)
    const all = new SegmentBlock(ids.reduce((sum, id) => sum + this.#placeOf(id).rows, 0))
    for (const id of ids) {
      const block = await this.read(id)
      all.addFrom(block, (row) => {
        const writer = block.texts.writer.valueOf(row)
        const sequence = Number(block.sequence[row])
        return (block.timeMs[row] ?? 0) >= fromMs && isIn({ month, writer, sequence })
      })
    }
    return all
  }

  async *uniqueScansOf(id: string): AsyncGenerator<UniqueScan[]> {
    const block = await this.read(id)
    const { organizationId, qrCodeId, writer } = block.texts
    yield rowsOf(block)
      .filter((row) => block.isUnique[row] === 1)
      .map((row) => ({
        organizationId: organizationId.valueOf(row),
        qrCodeId: qrCodeId.valueOf(row),
        visitor: block.visitorAt(row),
        writer: writer.valueOf(row),
        sequence: block.sequence[row] ?? 0n,
        timeMs: block.timeMs[row] ?? 0,
      }))
  }

  async *scansOf(id: string): AsyncGenerator<ScanRow[]> {
    const block = await this.read(id)
    yield rowsOf(block).map((row) => block.rowAt(row))
  }

  async codesOf(id: string): Promise<ScannedCode[]> {
    const block = await this.read(id)
    const { organizationId, qrCodeId, shortCode, domain } = block.texts
    return rowsOf(block).map((row) => ({
      organizationId: organizationId.valueOf(row),
      qrCodeId: qrCodeId.valueOf(row),
      shortCode: shortCode.valueOf(row),
      domain: domain.valueOf(row),
    }))
  }

  async countOf(id: string): Promise<CodeCounts> {
    return countRows(await this.read(id))
  }

  async daysOf(id: string): Promise<StoredDay[]> {
    return daysOfBlock(await this.read(id))
  }

  #placeOf(id: string): RecordPlace<SegmentRecord> {
    const place = this.#places.get(id)
    if (place === undefined) throw new Error(`there is no record of scans ${id}`)
    return place
  }
}

/** Looks at a listed record: at the size of its file, or at all of its bytes. */
export async function stateOfRecord(
  place: RecordPlace<SegmentRecord>,
  checksum: number,
  { isWhole }: { isWhole: boolean },
): Promise<FileState> {
  if (place.crc !== checksum) return 'damaged'
  try {
    if ((await stat(place.path)).size < place.offset + place.bytes) return 'damaged'
  } catch (error) {
    return stateOfError(error)
  }
  return !isWhole || (await rawRecord(place)) !== undefined ? 'good' : 'damaged'
}

/** Returns the numbers of scans of a block, by code. */
export function countRows(block: SegmentBlock): CodeCounts {
  const { organizationId, qrCodeId, class: kinds } = block.texts
  const human = kinds.values.get('human')
  /** By the numbers of organization and code, which make one number. */
  const counts = new Map<number, { row: number; count: CodeCount }>()
  for (let row = 0; row < block.rows; row++) {
    if (kinds.numbers[row] !== human) continue
    const key = (organizationId.numbers[row] ?? 0) * qrCodeId.values.size + (qrCodeId.numbers[row] ?? 0)
    const known = counts.get(key)
    const unique = block.isUnique[row] ?? 0
    if (known === undefined) counts.set(key, { row, count: { scans: 1, uniqueScans: unique } })
    else {
      known.count.scans++
      known.count.uniqueScans += unique
    }
  }
  return new Map(
    [...counts.values()].map(({ row, count }) => [
      codeKey({ organizationId: organizationId.valueOf(row), qrCodeId: qrCodeId.valueOf(row) }),
      count,
    ]),
  )
}

function rowsOf(block: SegmentBlock): number[] {
  return Array.from({ length: block.rows }, (_, row) => row)
}

function segmentOf(place: RecordPlace<SegmentRecord>): ScanSegment {
  const { id, level, rows, fromMs, toMs, stretches, bytes, crc } = place
  return { id, level, rows, fromMs, toMs, stretches, bytes, checksum: crc }
}
