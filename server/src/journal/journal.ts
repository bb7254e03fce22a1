import type { JournalSync } from '../config.ts'
import { FrameBuffer } from './frame-buffer.ts'
import { encodeFrame } from './frames.ts'
import { asError, closeQuietly, fileSystem, isSpaceError, type JournalIo } from './journal-io.ts'
import { ProblemLog } from './problem-log.ts'
import { Quota, segmentBytesFor } from './quota.ts'
import type { PreparedScan } from './raw-scan.ts'
import { SegmentChain } from './segment-chain.ts'
import { probeSegment, segmentHeaderBytes, syncSegment, type Segment } from './segments.ts'

const syncIntervalMs = 200
const retryMs = 1000
const syncRetryMs = 5000
const watchMs = 1000
const segmentAgeMsMax = 10 * 60 * 1000
const heldBytesMax = 32 * 1024 * 1024

/** What waits for a scan to be recorded: an object, as the caller may have one anyway. A function costs the same, 20 ns. */
export type Answer = {
  /** Called once. `false`: the scan could not be recorded, and is counted in `stats().unrecorded`. With `always` it may be in the file. */
  acknowledge(recorded: boolean): void
}

export type JournalOptions = {
  /** The folder of this writer alone; made when missing. Only one live process may have it open. */
  dir: string
  /** When frames are made durable: before the answer, every 200 ms, or when the system likes. */
  sync: JournalSync
  /** Bound of all segments under `rootDir` together. */
  bytesMax: number
  /** How many writers share these bytes; 1 when missing. */
  writers?: number
  /** The folder that holds the folders of all writers; `dir` when missing. */
  rootDir?: string
  /** At this size a segment is changed; 64 MiB when missing, or less when `bytesMax` is small. */
  segmentBytesMax?: number
  clock?: () => number
  io?: JournalIo
  /** Told of every error and of what was being done; the journal goes on. Repeated ones at most once in 10 s. */
  onProblem?: (error: Error, what: string) => void
}

export type JournalStats = {
  appended: number
  unrecorded: number
  /** Of all writers under `rootDir`, as last measured plus what this one wrote since. */
  bytes: number
  segments: number
  problems: number
  /** Segments that were removed or renamed while they were written, and were written again. */
  segmentsLost: number
  /** True while scans go unrecorded or cannot be made durable. */
  degraded: boolean
  /** Unfinished bytes of the last run that were cut off at the start. */
  cutBytes: number
}

/**
 * Opens the journal of one writer; never throws for what is on the disk, or for a disk that is full or failing.
 *
 * @example
 * const journal = openJournal({ dir: 'data/journal/front-0', sync: 'interval', bytesMax: 10 * 2 ** 30 })
 * journal.append({ timeMs, ids, visitor, network, userAgent, referrerHost, language, hints: 0 }, request)
 */
export function openJournal(options: JournalOptions): Journal {
  return new Journal(options)
}

/** Durable scans of one writer. All scans of one turn of the event loop are written with one write, then answered. */
export class Journal {
  readonly #dir: string
  readonly #sync: JournalSync
  readonly #segmentBytesMax: number
  readonly #clock: () => number
  readonly #io: JournalIo
  readonly #problems: ProblemLog
  readonly #buffer = new FrameBuffer(heldBytesMax)
  readonly #quota: Quota
  readonly #segments: SegmentChain
  /** Answers of the frames of this turn, in their order. */
  #answers: Answer[] = []
  /** Answers of scans for which there are no frames, as nothing can be recorded. */
  #refused: Answer[] = []
  /** With `always`: answers of frames that are written but not yet synced. */
  #waiting: Answer[] = []
  #flushScheduled = false
  /** Why nothing is written at present. Only the retry, or a sync that succeeds, lifts it. */
  #blocked: 'start' | 'write' | 'sync' | 'closed' | undefined = 'start'
  #syncFailures = 0
  #syncTimer: NodeJS.Timeout | undefined
  #retryTimer: NodeJS.Timeout | undefined
  #watchTimer: NodeJS.Timeout
  #settled: (() => void)[] = []
  #appended = 0
  #unrecorded = 0

  constructor(options: JournalOptions) {
    this.#dir = options.dir
    this.#sync = options.sync
    this.#segmentBytesMax = options.segmentBytesMax ?? segmentBytesFor(options.bytesMax, options.writers)
    this.#clock = options.clock ?? Date.now
    this.#io = options.io ?? fileSystem
    this.#problems = new ProblemLog(options.onProblem)
    this.#quota = new Quota({
      rootDir: options.rootDir ?? options.dir,
      bytesMax: options.bytesMax,
      io: this.#io,
      onProblem: this.#problems.report,
    })
    this.#segments = new SegmentChain({
      io: this.#io,
      dir: this.#dir,
      clock: this.#clock,
      buffer: this.#buffer,
      quota: this.#quota,
      problems: this.#problems,
    })
    this.#watchTimer = setTimeout(this.#watch, watchMs).unref()
    this.#retry()
  }

  /** The id of this start's frames; `undefined` while the directory cannot be made. */
  get writerId(): string | undefined {
    return this.#segments.writerId
  }

  /** Takes a scan; its answer comes after the write at the end of this turn of the event loop. */
  append(scan: PreparedScan, answer: Answer): void {
    const segments = this.#segments
    if (segments.writerId === undefined || this.#blocked === 'closed') this.#refused.push(answer)
    else {
      const buffer = this.#buffer
      buffer.reserve()
      const sequence = segments.sequence + 1
      buffer.end = encodeFrame(buffer.bytes, buffer.end, { sequence, seed: segments.seed, scan })
      segments.sequence = sequence
      this.#answers.push(answer)
    }
    if (this.#flushScheduled) return
    this.#flushScheduled = true
    setImmediate(this.#flush)
  }

  stats(): JournalStats {
    return {
      appended: this.#appended,
      unrecorded: this.#unrecorded,
      bytes: this.#quota.bytes,
      segments: this.#quota.segments,
      problems: this.#problems.count,
      segmentsLost: this.#segments.lost,
      degraded:
        this.#blocked !== undefined ||
        this.#quota.isFull ||
        this.#segments.current?.poisoned === true ||
        this.#syncFailures > 0,
      cutBytes: this.#segments.cutBytes,
    }
  }

  /** Writes and syncs what was appended, answers it, and lets go of the files. Scans appended after it are refused. */
  async close(): Promise<void> {
    if (this.#blocked === 'closed') return
    this.#flush()
    if (!this.#segments.hasName()) this.#moveSegment()
    while (this.#hasUnsynced() && this.#startSync()) {
      await new Promise<void>((resolve) => this.#settled.push(resolve))
    }
    this.#blocked = 'closed'
    clearTimeout(this.#syncTimer)
    clearTimeout(this.#retryTimer)
    clearTimeout(this.#watchTimer)
    this.#quota.close()
    this.#flush()
    this.#answer(this.#waiting.splice(0), 0)
    this.#segments.retire()
  }

  readonly #flush = (): void => {
    this.#flushScheduled = false
    const answers = this.#answers
    this.#answers = []
    let recorded = 0
    if (answers.length > 0) {
      if (this.#mayWrite()) {
        recorded = this.#segments.writeTurn()
        if (recorded < answers.length) this.#block('write')
      }
      this.#buffer.dropTurn()
      if (recorded === 0) this.#rotateWhenSynced()
    }
    if (this.#sync === 'always' && recorded > 0) {
      for (const answer of answers.splice(0, recorded)) this.#waiting.push(answer)
      recorded = 0
    } else if (this.#sync === 'never') {
      this.#buffer.release(this.#buffer.recordedBytes)
      this.#rotateWhenDue()
    }
    this.#syncSoon()
    this.#answer(answers, recorded)
    if (this.#refused.length > 0) this.#answer(this.#refused.splice(0), 0)
  }

  #answer(answers: readonly Answer[], recorded: number): void {
    this.#appended += recorded
    this.#unrecorded += answers.length - recorded
    for (let index = 0; index < answers.length; index++) {
      try {
        answers[index]?.acknowledge(index < recorded)
      } catch (error) {
        this.#problems.report(error, 'answering')
      }
    }
  }

  #mayWrite(): boolean {
    return this.#quota.hasRoom(this.#buffer.end - this.#buffer.turnStart) && this.#blocked === undefined
  }

  /** False: the old segment stays, if there is one. */
  #switchSegment(): boolean {
    const next = this.#segments.next()
    if (next === 'too-large') this.#letGo()
    return next === 'made'
  }

  #syncSoon(): void {
    if (!this.#hasUnsynced()) return
    if (this.#sync === 'always') this.#startSync()
    else this.#syncTimer ??= setTimeout(this.#syncNow, syncIntervalMs).unref()
  }

  #hasUnsynced(): boolean {
    if (this.#sync === 'never') return false
    return (
      this.#buffer.recordedBytes > this.#buffer.releasedBytes || this.#segments.current?.unsynced === true
    )
  }

  readonly #syncNow = (): void => {
    this.#syncTimer = undefined
    this.#startSync()
  }

  /** Starts a sync of everything written so far, unless one is under way. False: there is nothing to wait for. */
  #startSync(): boolean {
    const segment = this.#segments.current
    if (this.#sync === 'never' || segment === undefined || segment.poisoned) return false
    if (segment.syncing) return true
    segment.syncing = true
    const mark = this.#buffer.recordedBytes
    const covered = this.#waiting.length
    const done = (error: Error | null): void => {
      segment.syncing = false
      // The segment that followed began with all that this sync was for, and has a sync of its own.
      if (segment.retired) closeQuietly(this.#io, segment.fd)
      else if (error) this.#syncFailed(segment, error)
      else if (!this.#segments.hasName()) this.#moveSegment()
      else this.#synced(segment, mark, covered)
      this.#syncSoon()
      for (const settle of this.#settled.splice(0)) settle()
    }
    try {
      syncSegment(this.#io, this.#dir, segment, done)
    } catch (error) {
      setImmediate(done, asError(error))
    }
    return true
  }

  #synced(segment: Segment, mark: number, covered: number): void {
    segment.unsynced = false
    this.#syncFailures = 0
    if (this.#blocked === 'sync') this.#blocked = undefined
    this.#buffer.release(mark)
    const answers = this.#waiting.splice(0, covered)
    this.#rotateWhenDue()
    this.#answer(answers, answers.length)
  }

  /** What a lost segment holds goes on in another; with `always` its answers wait for the sync of that one. */
  #moveSegment(): void {
    if (this.#switchSegment()) return
    if (this.#sync === 'always') this.#letGo()
    this.#block('write')
  }

  /** A file whose sync failed is never synced again: what it may have lost goes to a new one, once. */
  #syncFailed(segment: Segment, error: Error): void {
    this.#problems.report(error, 'syncing')
    segment.poisoned = true
    this.#syncFailures++
    if (this.#syncFailures === 1 && this.#switchSegment()) {
      this.#startSync()
      return
    }
    if (this.#syncFailures > 1 || this.#sync === 'always') this.#letGo()
    if (this.#sync === 'always') this.#block('sync')
    else if (this.#segments.current === undefined) this.#block('write')
    else this.#retryIn(this.#syncFailures > 1 ? syncRetryMs : retryMs)
  }

  /** Gives up making the held frames durable. They stand in the file, but nobody is told that they will stay. */
  #letGo(): void {
    this.#buffer.release(this.#buffer.recordedBytes)
    this.#answer(this.#waiting.splice(0), 0)
  }

  #rotateWhenDue(): void {
    const segment = this.#segments.current
    if (segment === undefined || this.#blocked !== undefined || !this.#isDue(segment)) return
    if (!this.#switchSegment() && this.#segments.current === undefined) this.#block('write')
  }

  /**
   * Between syncs a segment is changed only when all of it is durable: after a power loss readers could not tell which
   * of two segments in a row that were never synced has the frames.
   */
  #rotateWhenSynced(): void {
    if (!this.#hasUnsynced()) this.#rotateWhenDue()
  }

  #isDue({ offset, writtenMs }: Segment): boolean {
    // An empty segment is as good as the one that would follow.
    if (offset <= segmentHeaderBytes) return false
    // Frames that no sync has covered come along and take room a second time; without room their sync is waited for.
    const heldBytes = this.#buffer.recordedBytes - this.#buffer.releasedBytes
    if (heldBytes > 0 && !this.#quota.fits(heldBytes)) return false
    if (offset >= this.#segmentBytesMax || this.#clock() - writtenMs >= segmentAgeMsMax) return true
    // The newest segment is never removed, so a full journal must begin another before the worker can make room.
    return this.#quota.isFull
  }

  /** For the time in which no more scans come, and so no more syncs: a lost segment, age and a full journal. */
  readonly #watch = (): void => {
    if (this.#blocked === undefined && !this.#segments.hasName()) {
      this.#moveSegment()
      this.#syncSoon()
    } else this.#rotateWhenSynced()
    this.#watchTimer = setTimeout(this.#watch, watchMs).unref()
  }

  #block(reason: 'write' | 'sync'): void {
    if (this.#blocked !== 'closed') this.#blocked = reason
    // Nobody waits for a sync that there may never be.
    if (this.#segments.current === undefined) this.#answer(this.#waiting.splice(0), 0)
    clearTimeout(this.#retryTimer)
    this.#retryTimer = undefined
    this.#retryIn(retryMs)
  }

  #retryIn(delayMs: number): void {
    if (this.#blocked !== 'closed') this.#retryTimer ??= setTimeout(this.#retry, delayMs).unref()
  }

  readonly #retry = (): void => {
    this.#retryTimer = undefined
    if (!this.#isReady()) return this.#retryIn(retryMs)
    // After failed syncs only one that succeeds shows that the disk takes them again.
    if (this.#blocked === 'sync' && this.#startSync()) return
    this.#blocked = undefined
    if (this.#syncFailures > 0) this.#startSync()
    else this.#syncSoon()
  }

  /** Does what is needed before the next write, and tries whether there is room for one. */
  #isReady(): boolean {
    this.#segments.recover()
    const segment = this.#segments.current
    if (segment === undefined || segment.poisoned || !this.#segments.hasName()) return this.#switchSegment()
    if (this.#blocked !== 'write') return true
    const error = probeSegment(this.#io, segment)
    if (error === undefined) return true
    this.#problems.report(error, 'trying to write again')
    return !isSpaceError(error) && this.#switchSegment()
  }
}
