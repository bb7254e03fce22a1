import { readRecord, type RecordLog, type RecordPlace } from '../../insert/record-log.ts'
import { SegmentBlock } from '../segment-block.ts'
import type { SegmentRecord } from './record-files.ts'

/** Reads records that another process writes. */
export class RecordReader {
  readonly #log: RecordLog<SegmentRecord>
  readonly #places = new Map<string, RecordPlace<SegmentRecord>>()
  /** How far each file was looked through. */
  readonly #readTo = new Map<string, number>()

  constructor(log: RecordLog<SegmentRecord>) {
    this.#log = log
  }

  /**
   * Yields the scans of some records, with their ids. Throws if one of them is not there, or
   * damaged. Looks through what was written since the last call first, and no further back than it
   * must.
   */
  async *read(ids: readonly string[]): AsyncGenerator<[id: string, block: SegmentBlock]> {
    if (!(await this.#find(ids))) {
      // An older manifest, which was put back, lists records that were passed over.
      this.#places.clear()
      this.#readTo.clear()
      await this.#find(ids)
    }
    for (const id of ids) {
      const place = this.#places.get(id)
      if (place === undefined) throw new Error(`there is no record of scans ${id}`)
      yield [id, SegmentBlock.fromBytes(await readRecord(place))]
      this.#places.delete(id)
    }
  }

  /** Returns whether all were found. */
  async #find(ids: readonly string[]): Promise<boolean> {
    const missing = new Set(ids)
    for (const path of await this.#log.newestFiles()) {
      for await (const place of this.#log.placesIn(path, this.#readTo.get(path) ?? 0)) {
        this.#readTo.set(path, place.offset + place.bytes)
        if (missing.delete(place.id)) this.#places.set(place.id, place)
      }
      if (missing.size === 0) return true
    }
    return missing.size === 0
  }
}
