import type { JournalSync } from '../settings/settings.ts'
import { Answers, type Answer } from './answers.ts'
import { DurableSegments } from './durable-segments.ts'
import { FrameBuffer } from './frame-buffer.ts'
import { encodeFrame } from './frames.ts'
import { fileSystem, type JournalIo } from './journal-io.ts'
import { ProblemLog } from './problem-log.ts'
import { Quota, segmentBytesFor } from './quota.ts'
import type { PreparedScan } from './raw-scan.ts'
import { SegmentChain } from './segment-chain.ts'

const heldBytesMax = 32 * 1024 * 1024

export type JournalOptions = {
  /**
   * The folder of this writer alone. Created if missing. Only one live process may have it open.
   */
  dir: string
  /**
   * When frames become durable: before the answer, every 200 ms, or when the operating system
   * writes them.
   */
  sync: JournalSync
  /** The limit of the total size of all segments under `rootDir`. */
  bytesMax: number
  /** The number of writers that share `bytesMax`. Default: 1. */
  writers?: number
  /** The folder that contains the folders of all writers. Default: `dir`. */
  rootDir?: string
  /** The size at which a new segment starts. Default: 64 MiB, or less if `bytesMax` is small. */
  segmentBytesMax?: number
  clock?: () => number
  io?: JournalIo
  /**
   * Called with each error and the action that failed. The journal continues. A repeated problem is
   * reported at most once in 10 s.
   */
  onProblem?: (error: Error, what: string) => void
}

export type JournalStats = {
  appended: number
  unrecorded: number
  /**
   * Bytes of all writers under `rootDir`: the last measurement plus what this writer wrote since.
   */
  bytes: number
  segments: number
  problems: number
  /** Segments that were removed or renamed during writing; their scans are written again. */
  segmentsLost: number
  /** True while scans go unrecorded or cannot be made durable. */
  degraded: boolean
  /** Unfinished bytes of the last run that were cut off at the start. */
  cutBytes: number
}

/**
 * Opens the journal of one writer. It never throws because of the content of the disk, or because
 * the disk is full or failing.
 *
 * @example
 * const dir = 'data/journal/front-0'
 * const journal = openJournal({ dir, sync: 'interval', bytesMax: 10 * 2 ** 30 })
 * journal.append(scan, request)
 */
export function openJournal(options: JournalOptions): Journal {
  const journal = new Journal(options)
  journal.start()
  return journal
}

/**
 * Durable scans of one writer. All scans of one turn of the event loop are written with one write,
 * then answered.
 */
export class Journal {
  readonly #sync: JournalSync
  readonly #problems: ProblemLog
  readonly #buffer = new FrameBuffer(heldBytesMax)
  readonly #quota: Quota
  readonly #answers: Answers
  readonly #segments: SegmentChain
  readonly #disk: DurableSegments
  #isFlushScheduled = false

  constructor(options: JournalOptions) {
    const { dir, sync, bytesMax, io = fileSystem, clock = Date.now } = options
    const segmentBytesMax = options.segmentBytesMax ?? segmentBytesFor(bytesMax, options.writers)
    const problems = new ProblemLog(options.onProblem)
    const quota = new Quota({
      rootDir: options.rootDir ?? dir,
      bytesMax,
      io,
      onProblem: problems.report,
    })
    const shared = { io, dir, clock, buffer: this.#buffer, quota, problems }
    this.#sync = sync
    this.#problems = problems
    this.#quota = quota
    this.#answers = new Answers(problems)
    this.#segments = new SegmentChain(shared)
    this.#disk = new DurableSegments({
      ...shared,
      sync,
      segmentBytesMax,
      segments: this.#segments,
      answers: this.#answers,
    })
  }

  start(): void {
    this.#quota.start()
    this.#disk.start()
  }

  /** The id of the frames since this start; `undefined` while the directory cannot be created. */
  get writerId(): string | undefined {
    return this.#segments.writerId
  }

  /** Appends a scan. Its answer follows the write at the end of this turn of the event loop. */
  append(scan: PreparedScan, answer: Answer): void {
    const segments = this.#segments
    if (segments.writerId === undefined || this.#disk.isClosed) this.#answers.refuse(answer)
    else {
      const buffer = this.#buffer
      buffer.reserve()
      const sequence = segments.sequence + 1
      buffer.end = encodeFrame(buffer.bytes, buffer.end, { sequence, seed: segments.seed, scan })
      segments.sequence = sequence
      this.#answers.add(answer)
    }
    if (this.#isFlushScheduled) return
    this.#isFlushScheduled = true
    setImmediate(this.#flush)
  }

  stats(): JournalStats {
    return {
      appended: this.#answers.appended,
      unrecorded: this.#answers.unrecorded,
      bytes: this.#quota.bytes,
      segments: this.#quota.segments,
      problems: this.#problems.count,
      segmentsLost: this.#segments.lost,
      degraded: this.#disk.isDegraded || this.#quota.isFull,
      cutBytes: this.#segments.cutBytes,
    }
  }

  /**
   * Writes, syncs and answers all appended scans, then closes the files. Later scans are refused.
   */
  async close(): Promise<void> {
    if (this.#disk.isClosed) return
    this.#flush()
    await this.#disk.close()
    this.#quota.close()
    this.#flush()
    this.#answers.giveUpUnsynced()
    this.#segments.retire()
  }

  readonly #flush = (): void => {
    this.#isFlushScheduled = false
    const answers = this.#answers.takeTurn()
    let recorded = answers.length > 0 ? this.#disk.writeTurn(answers.length) : 0
    if (this.#sync === 'always' && recorded > 0) {
      this.#answers.waitForSync(answers.splice(0, recorded))
      recorded = 0
    } else if (this.#sync === 'never') this.#disk.releaseWritten()
    this.#disk.syncSoon()
    this.#answers.give(answers, recorded)
    this.#answers.giveRefused()
  }
}
