import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { mergeRuns } from './merge-runs.ts'
import { RecentVisits } from './recent-visits.ts'
import { visitDisk, type VisitDisk } from './visit-disk.ts'
import { keyBytes, isRemoved, recordBytes } from './visit-record.ts'
import { pageBytes, RunWriter, VisitRun } from './visit-run.ts'
import {
  isOfIndex,
  nothingCovered,
  readState,
  runPath,
  unfinishedPath,
  writeState,
  type VisitCoverage,
} from './visit-state.ts'

export type VisitRunsOptions = {
  folder: string
  disk?: VisitDisk
  /** The records that are kept in memory until they are written as a run. */
  recentMax?: number
  /** As many runs of a level become one of the next. */
  runsMax?: number
  newSalt?: () => Buffer
}

/**
 * Records in sorted files. The last ones are in memory; when there are enough, they become a run of
 * level 0; runs of a level become one of the next, in the background. A newer record of a key
 * replaces an older one.
 *
 * With 10 million records and `recentMax` 131,072, the memory is 12.5 MB for Bloom filters, 0.2 MB
 * for the keys of pages, 3.4 MB for the last records, 1 MB while they are written, and at most 6 MB
 * for the filter of a merge (of 4.7 million records) with 0.5 MB of its records: 24 MB. Each
 * million more takes 1.3 MB.
 *
 * A damaged file is found when it is opened or when the damaged page is read: methods that read
 * then throw a VisitsDamaged, and all must be made again. One call at a time changes records:
 * `put`, `remove`, `flush` and `clear` may not overlap. `get` may come at any time.
 */
export class VisitRuns {
  readonly #options: Required<VisitRunsOptions>
  readonly #recent: RecentVisits
  readonly #page = Buffer.alloc(pageBytes)
  #salt: Buffer = Buffer.alloc(0)
  #nextRun = 1
  /** Newest first; each level is older than the one below it. */
  #runs: readonly VisitRun[] = []
  /** The scans of the runs, without those of the records in memory. */
  #coverage = nothingCovered
  /** Files that do not count and may still be there. */
  readonly #failed: string[] = []
  /** Changes of the state follow each other. */
  #turn: Promise<unknown> = Promise.resolve()
  #merging: Promise<void> | undefined
  #stop = new AbortController()

  private constructor(options: VisitRunsOptions) {
    this.#options = {
      disk: visitDisk,
      recentMax: 131_072,
      runsMax: 6,
      newSalt: () => randomBytes(16),
      ...options,
    }
    this.#recent = new RecentVisits(this.#options.recentMax)
  }

  /**
   * Opens a folder, which only one process may have open, and removes files that do not count.
   * Begins empty if files are missing, damaged or of another version. Throws errors of the file
   * system if it cannot write there.
   */
  static async open(options: VisitRunsOptions): Promise<VisitRuns> {
    const opened = new VisitRuns(options)
    await opened.#open()
    return opened
  }

  /** The scans of the files. After a crash, records of other scans are gone. */
  get coverage(): VisitCoverage {
    return this.#coverage
  }

  /** Keys should be hashes with it. It is another one after each `clear`. */
  get salt(): Buffer {
    return this.#salt
  }

  /** The number of records in memory. */
  get recentCount(): number {
    return this.#recent.count
  }

  /** How many runs there are of each level, from 0 on. */
  get runCounts(): number[] {
    const counts: number[] = []
    for (const { facts } of this.#runs) counts[facts.level] = (counts[facts.level] ?? 0) + 1
    return Array.from(counts, (count) => count ?? 0)
  }

  /** Whether `flush` must come before this many more records. */
  isFullWith(more: number): boolean {
    return this.#recent.count > 0 && this.#recent.count + more > this.#options.recentMax
  }

  /**
   * Returns the place of a key, as bytes that the next call overwrites, or undefined if there is
   * none. Reads files synchronously: a page of 4 KB, seldom two.
   */
  get(key: Buffer): Buffer | undefined {
    const at = this.#recent.find(key)
    if (at >= 0) return placeAt(this.#recent.records, at)
    for (const run of this.#runs) {
      const found = run.find(key, this.#page)
      if (found >= 0) return placeAt(this.#page, found)
    }
    return undefined
  }

  /** Gives a key a place, in memory. Eight bytes of 0xff are no place. */
  put(key: Buffer, place: Buffer): void {
    this.#recent.put(key, place)
  }

  remove(key: Buffer): void {
    this.#recent.remove(key)
  }

  /**
   * Writes the records in memory and makes them durable, together with what all records then are.
   * Throws errors of the file system: nothing has then changed, and it can be called again.
   */
  async flush(coverage: VisitCoverage): Promise<void> {
    if (this.#recent.count === 0) {
      if (coverage !== this.#coverage) await this.#inTurn(() => this.#change({ coverage }))
      return
    }
    const run = await this.#writeRun({ level: 0, recordsMax: this.#recent.count }, async (writer) => {
      for (const piece of this.#recent.pieces())
        for (const at of piece) if (writer.add(this.#recent.records, at)) await writer.write()
    })
    await this.#adding(run, () => this.#change({ coverage, runs: [run, ...this.#runs] }))
    this.#recent.clear()
    this.#merging ??= this.#merge().finally(() => (this.#merging = undefined))
    // Records may come faster than they are merged, and each run makes `get` slower.
    const isBehind = this.runCounts.some((count) => count >= 2 * this.#options.runsMax)
    const merged = this.#merging
    if (isBehind) await merged
    // The next flush tries again what failed.
    else merged.catch(() => {})
  }

  /** Resolves when no runs are merged any more. Throws the error with which that ended. */
  async settle(): Promise<void> {
    await this.#merging
  }

  /** Begins empty, with another salt. */
  async clear(): Promise<void> {
    await this.#stopMerging()
    this.#recent.clear()
    const runs = this.#runs
    this.#runs = []
    this.#coverage = nothingCovered
    this.#salt = this.#options.newSalt()
    for (const run of runs) await run.close()
    await this.#inTurn(() => this.#change({}))
    for (const { path } of runs) await this.#options.disk.remove(path)
  }

  /** Closes the files. Writes nothing: records in memory are lost without a `flush`. */
  async close(): Promise<void> {
    await this.#stopMerging()
    for (const run of this.#runs) await run.close()
    this.#runs = []
  }

  async #open(): Promise<void> {
    const { folder, disk } = this.#options
    await disk.makeFolder(folder)
    const names = await readdir(folder)
    const state = await readState(folder)
    const runs: VisitRun[] = []
    try {
      for (const facts of state?.runs ?? [])
        runs.push(await VisitRun.open(runPath(folder, facts.number), facts))
    } catch {
      for (const run of runs.splice(0)) await run.close()
    }
    if (state !== undefined && runs.length === state.runs.length) {
      const { covered, partial, marksVersion, salt, nextRun } = state
      this.#coverage = { covered, partial, marksVersion }
      this.#salt = Buffer.from(salt, 'hex')
      this.#nextRun = nextRun
      this.#runs = runs
    } else {
      this.#nextRun = 1 + Math.max(0, ...names.map((name) => Number.parseInt(name, 10) || 0))
      await this.clear()
    }
    const used = new Set(['state.json', ...this.#runs.map(({ facts }) => `${facts.number}.run`)])
    for (const name of names) if (isOfIndex(name) && !used.has(name)) await disk.remove(join(folder, name))
  }

  async #merge(): Promise<void> {
    const { runsMax } = this.#options
    const { signal } = this.#stop
    for (let level = 0; level < this.runCounts.length; level++) {
      const ofLevel = this.#runs.filter(({ facts }) => facts.level === level)
      if (ofLevel.length < runsMax) continue
      const recordsMax = ofLevel.reduce((sum, old) => sum + old.recordsMax, 0)
      const dropsRemoved = ofLevel.at(-1) === this.#runs.at(-1)
      const run = await this.#writeRun({ level: level + 1, recordsMax }, (writer) =>
        mergeRuns(ofLevel, writer, { dropsRemoved, signal }),
      )
      await this.#adding(run, async () => {
        signal.throwIfAborted()
        // Meanwhile, newer runs may have come before those that were merged.
        const runs = this.#runs.flatMap((old) =>
          old === ofLevel[0] ? [run] : ofLevel.includes(old) ? [] : [old],
        )
        await this.#change({ runs })
      })
      for (const old of ofLevel) await old.close()
      for (const { path } of ofLevel) await this.#options.disk.remove(path)
      // A level below may be full again.
      level = -1
    }
  }

  async #stopMerging(): Promise<void> {
    this.#stop.abort()
    await this.#merging?.catch(() => {})
    this.#stop = new AbortController()
  }

  /** Writes a file that counts as soon as the state has it. */
  async #writeRun(
    { level, recordsMax }: { level: number; recordsMax: number },
    write: (writer: RunWriter) => Promise<void>,
  ): Promise<VisitRun> {
    const { disk, folder } = this.#options
    const number = this.#nextRun++
    const path = runPath(folder, number)
    const file = await disk.create(unfinishedPath(path))
    try {
      const writer = new RunWriter(disk, { file, number, recordsMax })
      await write(writer)
      const ended = await writer.end(level)
      await disk.rename(unfinishedPath(path), path)
      await disk.syncFolder(folder)
      return new VisitRun({ ...ended, path, file })
    } catch (error) {
      await file.close()
      this.#failed.push(path, unfinishedPath(path))
      throw error
    }
  }

  /** Changes the state so that it has a run, which is closed if that fails. */
  async #adding(run: VisitRun, change: () => Promise<void>): Promise<void> {
    try {
      await this.#inTurn(change)
    } catch (error) {
      await run.close()
      this.#failed.push(run.path)
      throw error
    }
  }

  async #change({
    coverage = this.#coverage,
    runs = this.#runs,
  }: {
    coverage?: VisitCoverage
    runs?: readonly VisitRun[]
  }): Promise<void> {
    const { disk, folder } = this.#options
    const salt = this.#salt.toString('hex')
    const facts = runs.map((run) => run.facts)
    await writeState(disk, folder, { ...coverage, salt, nextRun: this.#nextRun, runs: facts })
    this.#coverage = coverage
    this.#runs = runs
    // Until now, the state could have had them: it is unknown what a call that failed has done.
    for (const path of this.#failed.splice(0)) await disk.remove(path)
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => {})
    return done
  }
}

function placeAt(records: Buffer, at: number): Buffer | undefined {
  return isRemoved(records, at) ? undefined : records.subarray(at + keyBytes, at + recordBytes)
}
