import { setImmediate } from 'node:timers/promises'
import type { SegmentBlock } from '../segment-block.ts'
import { isCovered, joinStretches, withoutStretches, type Stretch } from '../stretches.ts'
import { BlockVisits } from './block-visits.ts'
import { RecentVisits } from './recent-visits.ts'
import { VisitsDamaged } from './visit-disk.ts'
import { VisitKeys } from './visit-keys.ts'
import { keyBytes, placeBytes, recordBytes } from './visit-record.ts'
import { VisitRuns, type VisitRunsOptions } from './visit-runs.ts'

/** A visitor of a code, and the scan that is the first one of it. */
export type FirstVisit = VisitorOfCode & { writer: string; sequence: number | bigint }

export type VisitorOfCode = {
  organizationId: string
  qrCodeId: string
  /** 16 bytes, or 32 hexadecimal digits. */
  visitor: string | Uint8Array
}

/** A visitor of a code without a scan that is the first one has no first visit any more. */
export type MovedVisit = FirstVisit | (VisitorOfCode & { writer?: undefined })

/** The stored scans, as the index is made of them. */
export type StoredVisits = {
  /** All scans that the store has, or had until they were deleted. */
  covered: readonly Stretch[]
  /**
   * Another one whenever the marks of stored scans have changed, or may have been decided again:
   * after retention, or when an older catalogue was put back.
   */
  marksVersion?: string
  /** Returns the unique ones among the scans in stretches, in any order. */
  read: (stretches: readonly Stretch[]) => AsyncIterable<readonly FirstVisit[]>
  signal?: AbortSignal
}

/** The event loop goes on after this long at most, and the time of one read. */
const turnMs = 8
/** As many scans are between two looks at the clock. */
const scansOfLook = 32
const batchMax = 4096
/** It equals that of no scan. */
const noPlace = Buffer.alloc(0)

/**
 * The index of first visits: which scan of a visitor of a code is unique, the first recorded one in
 * the order of ingest. It is derived: its folder can be deleted at any time, and is then made again
 * of the stored scans. Calls follow each other, whoever makes them.
 */
export class VisitIndex {
  readonly #runs: VisitRuns
  readonly #key = Buffer.alloc(keyBytes)
  readonly #place = Buffer.alloc(placeBytes)
  /** The first visits of a batch that is not committed. */
  readonly #marked = new RecentVisits(batchMax)
  #keys: VisitKeys
  #covered: readonly Stretch[]
  #partial: readonly Stretch[]
  #marksVersion: string | undefined
  #isCurrent = false
  #turn: Promise<unknown> = Promise.resolve()
  #turnEndsMs = 0

  private constructor(runs: VisitRuns) {
    this.#runs = runs
    this.#keys = new VisitKeys(runs.salt)
    const { covered, partial, marksVersion } = runs.coverage
    this.#covered = covered
    this.#partial = partial
    this.#marksVersion = marksVersion
  }

  /**
   * Opens the folder of an index, which only one process may have open. Begins empty if it is
   * missing, damaged or of another version. `catchUp` must follow.
   */
  static async open(options: VisitRunsOptions): Promise<VisitIndex> {
    return new VisitIndex(await VisitRuns.open(options))
  }

  /** Whether the index has all stored scans, as far as it knows. If not, call `catchUp` first. */
  get isCurrent(): boolean {
    return this.#isCurrent
  }

  /**
   * Adds the first visits of stored scans that the index does not have yet, by months. Begins empty
   * if it has scans that the store does not have. Must come before the first batch, and whenever
   * the manifest was read again. Throws what `read` throws, the reason of the signal, and errors of
   * the file system: the next call then goes on.
   */
  async catchUp(stored: StoredVisits): Promise<void> {
    await this.#inTurn(async () => {
      this.#isCurrent = false
      if (!(await this.#orClear(() => this.#addStored(stored)))) await this.#addStored(stored)
      this.#isCurrent = true
    })
  }

  /**
   * Marks the unique rows of a batch, stores it with `commit`, and then remembers its first visits.
   * The batch is one writer's, as a block for each month; each is in the order of the sequences,
   * and its rows are marked in place.
   *
   * `commit` returns the scans that are stored by it, or undefined if it stored none; it may not
   * call this index. Returns whether it stored them. If not, nothing is remembered, and `catchUp`
   * must come first; so it must after an error of `commit`, whose outcome is unknown, and if it was
   * not called because the index does not have all stored scans or is damaged. Throws errors of the
   * file system before it calls `commit`.
   */
  async storeBatch(
    blocks: readonly SegmentBlock[],
    commit: () => Promise<readonly Stretch[] | undefined>,
  ): Promise<boolean> {
    return await this.#inTurn(async () => {
      if (!this.#isCurrent) return false
      const isMarked = await this.#orClear(async () => {
        await this.#mark(blocks)
        // Nothing may fail when the batch is committed.
        if (this.#runs.isFullWith(this.#marked.count)) await this.#flush()
      })
      if (!isMarked) return false
      this.#isCurrent = false
      const stored = await commit()
      if (stored === undefined) return false
      const { records, count } = this.#marked
      for (let number = 0; number < count; number++) {
        const at = number * recordBytes
        this.#runs.put(records.subarray(at, at + keyBytes), records.subarray(at + keyBytes, at + recordBytes))
        if (this.#isLate(number)) await this.#rest()
      }
      this.#covered = joinStretches([...this.#covered, ...stored])
      this.#isCurrent = true
      return true
    })
  }

  /**
   * Takes over what has changed in the marks of stored scans, after that is stored. `marksVersion`
   * is that of the marks now: until all is durable, a crash leaves an index that begins empty.
   * Returns false if `catchUp` must come instead.
   */
  async move(
    changes: AsyncIterable<readonly MovedVisit[]> | Iterable<readonly MovedVisit[]>,
    marksVersion: string,
  ): Promise<boolean> {
    return await this.#inTurn(async () => {
      if (!this.#isCurrent) return false
      this.#isCurrent = false
      this.#marksVersion = undefined
      const isMoved = await this.#orClear(async () => {
        await this.#putAll(changes)
        this.#marksVersion = marksVersion
        await this.#flush()
      })
      this.#isCurrent = isMoved
      return isMoved
    })
  }

  /** Makes everything durable, for an orderly stop: the next start then reads no scans again. */
  async flush(): Promise<void> {
    await this.#inTurn(() => this.#orClear(() => this.#flush()))
  }

  /** Resolves when files are no longer merged in the background. */
  async settle(): Promise<void> {
    await this.#inTurn(() => this.#runs.settle())
  }

  /** Closes the files. What was not flushed is read from the stored scans at the next start. */
  async close(): Promise<void> {
    await this.#inTurn(async () => {
      this.#isCurrent = false
      await this.#runs.close()
    })
  }

  async #addStored({ covered, marksVersion = '', read, signal }: StoredVisits): Promise<void> {
    const known = [...this.#covered, ...this.#partial]
    if (this.#marksVersion !== marksVersion || !isCovered(known, covered)) await this.#clear()
    this.#marksVersion = marksVersion
    const missing = withoutStretches(covered, this.#covered)
    for (const stretches of Map.groupBy(missing, ({ month }) => month).values()) {
      signal?.throwIfAborted()
      this.#partial = joinStretches([...this.#partial, ...stretches])
      await this.#putAll(read(stretches), signal)
      this.#covered = joinStretches([...this.#covered, ...stretches])
      this.#partial = withoutStretches(this.#partial, stretches)
    }
  }

  async #putAll(
    lists: AsyncIterable<readonly MovedVisit[]> | Iterable<readonly MovedVisit[]>,
    signal?: AbortSignal,
  ): Promise<void> {
    const visitors = Buffer.alloc(16)
    for await (const list of lists) {
      signal?.throwIfAborted()
      for (const [index, visit] of list.entries()) {
        const { visitor } = visit
        if (typeof visitor === 'string') visitors.write(visitor, 'hex')
        else visitors.set(visitor)
        if (this.#runs.isFullWith(1)) await this.#flush()
        const code = this.#keys.codeOf(visit.organizationId, visit.qrCodeId)
        this.#keys.writeKey(this.#key, code, { visitors, at: 0 })
        if (visit.writer === undefined) this.#runs.remove(this.#key)
        else {
          const sequence = BigInt(visit.sequence)
          const [low, high] = [Number(sequence & 0xffffffffn), Number(sequence >> 32n)]
          this.#keys.writePlace(this.#place, this.#keys.writerOf(visit.writer), { low, high })
          this.#runs.put(this.#key, this.#place)
        }
        if (this.#isLate(index)) await this.#rest()
      }
    }
  }

  async #mark(blocks: readonly SegmentBlock[]): Promise<void> {
    const marked = this.#marked
    marked.clear()
    const visits = new BlockVisits(blocks, this.#keys)
    for (let row = 0; visits.next(); row++) {
      const { key, place } = visits
      if (visits.readVisit()) {
        const found = marked.find(key) >= 0 ? noPlace : this.#runs.get(key)
        if (found === undefined) marked.put(key, place)
        // The scan that has the mark gets it again: a batch may be read twice.
        visits.mark(found?.equals(place) ?? true)
      } else visits.mark(false)
      if (this.#isLate(row)) await this.#rest()
    }
  }

  async #flush(): Promise<void> {
    await this.#runs.flush({
      covered: this.#covered,
      partial: this.#partial,
      marksVersion: this.#marksVersion,
    })
  }

  async #clear(): Promise<void> {
    this.#covered = []
    this.#partial = []
    this.#marksVersion = undefined
    await this.#runs.clear()
    this.#keys = new VisitKeys(this.#runs.salt)
  }

  /** Whether the event loop has waited long, at every 32nd scan. */
  #isLate(scan: number): boolean {
    return scan % scansOfLook === 0 && performance.now() >= this.#turnEndsMs
  }

  async #rest(): Promise<void> {
    await setImmediate()
    this.#turnEndsMs = performance.now() + turnMs
  }

  /**
   * Does something that reads the index. Begins empty and returns false if that finds damage:
   * `catchUp` must then come first.
   */
  async #orClear(work: () => Promise<void>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      if (!(error instanceof VisitsDamaged)) throw error
      this.#isCurrent = false
      await this.#clear()
      return false
    }
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => {})
    return done
  }
}
