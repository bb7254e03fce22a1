import { markClosed, readsBeforeClose } from '../../analytics/files/closed-mark.ts'
import type { Manifest, ScanSegment } from '../../analytics/files/manifest.ts'
import type { FileState } from '../../analytics/files/parquet/look-at-files.ts'

const dayMs = 86_400_000
/** A disk may damage files that nobody reads. */
const trustMsMax = 7 * dayMs
/** A round begins early enough to end within the week. */
const roundMs = 6 * dayMs
/** The time of each call for reading: more would take the disk from others. */
const readMsMax = 2_000

type Options = {
  /** The folder of the files of Parquet. */
  folder: string
  stateOf: (segment: ScanSegment, isWhole: boolean) => Promise<FileState>
  clock: () => number
}

/**
 * Watches whether listed files are as they were written: their sizes whenever it looks, and within
 * a week all of their bytes. Those that are not are no longer trusted.
 */
export class FileWatch {
  readonly #options: Options
  /** When the listed files were last read whole, but for those that were written since. */
  #readAtMs: number
  /** When the round of reads began that is not over, and which files were read in it. */
  #round: { sinceMs: number; read: Set<string> } | undefined
  readonly #wrong = new Set<string>()

  constructor(options: Options) {
    this.#options = options
    this.#readAtMs = options.clock()
  }

  get readAtMs(): number {
    return this.#readAtMs
  }

  /** Notes which of the listed files were read when, for the next start. */
  async close({ revision, segments }: Pick<Manifest, 'revision' | 'segments'>): Promise<void> {
    const { readAtMs } = this
    const round = this.#round && {
      sinceMs: this.#round.sinceMs,
      read: segments.map(({ id }) => id).filter((id) => this.#round?.read.has(id)),
    }
    await markClosed(this.#options.folder, revision, { readAtMs, ...(round !== undefined && { round }) })
  }

  /** Returns the listed files that need not be read whole. */
  async trusted({ revision, segments }: Manifest, hasRead: boolean): Promise<readonly ScanSegment[]> {
    const listed = segments.filter(({ id }) => !this.#wrong.has(id))
    if (hasRead) return listed
    const nowMs = this.#options.clock()
    const isLately = (atMs: number): boolean => atMs <= nowMs && atMs > nowMs - trustMsMax
    const { readAtMs = 0, round } = (await readsBeforeClose(this.#options.folder, revision)) ?? {}
    const begun =
      round !== undefined && isLately(round.sinceMs) ? { ...round, read: new Set(round.read) } : undefined
    if (isLately(readAtMs)) {
      this.#readAtMs = readAtMs
      this.#round = begun
      return listed
    }
    // This start reads the files that the round had not come to.
    this.#readAtMs = begun?.sinceMs ?? nowMs
    this.#round = undefined
    return listed.filter(({ id }) => begun?.read.has(id))
  }

  /** Looks at sizes and ends. Returns the files that are missing or damaged. */
  async look(segments: readonly ScanSegment[], signal: AbortSignal): Promise<ScanSegment[]> {
    const wrong: ScanSegment[] = []
    for (const segment of segments) {
      if (signal.aborted) break
      if (!(await this.#isGood(segment, false))) wrong.push(segment)
    }
    return wrong
  }

  /**
   * Reads some files whole, one after the other, if a round is due. Returns those that are missing
   * or damaged.
   */
  async readNext(segments: readonly ScanSegment[], signal: AbortSignal): Promise<ScanSegment[]> {
    const nowMs = this.#options.clock()
    // A clock that was set back must not end the reading.
    if (this.#round === undefined && Math.abs(nowMs - this.#readAtMs) < roundMs) return []
    const round = (this.#round ??= { sinceMs: nowMs, read: new Set() })
    const untilMs = performance.now() + readMsMax
    const wrong: ScanSegment[] = []
    for (const segment of segments) {
      if (round.read.has(segment.id)) continue
      if (signal.aborted || performance.now() > untilMs) return wrong
      if (!(await this.#isGood(segment, true))) wrong.push(segment)
      round.read.add(segment.id)
    }
    this.#readAtMs = round.sinceMs
    this.#round = undefined
    return wrong
  }

  async #isGood(segment: ScanSegment, isWhole: boolean): Promise<boolean> {
    if ((await this.#options.stateOf(segment, isWhole)) === 'good') return true
    this.#wrong.add(segment.id)
    return false
  }
}
