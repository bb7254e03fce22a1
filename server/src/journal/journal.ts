import type { JournalSync } from '../config.ts'
import { FrameBuffer } from './frame-buffer.ts'
import { encodeFrame, frameSeed, wholeFrames } from './frames.ts'
import {
  asError,
  closeQuietly,
  errorCode,
  fileSystem,
  isSpaceError,
  writeFully,
  type JournalIo,
} from './journal-io.ts'
import { ProblemLog } from './problem-log.ts'
import { Quota } from './quota.ts'
import type { PreparedScan } from './raw-scan.ts'
import { recoverDirectory } from './recovery.ts'
import {
  createSegment,
  cutBack,
  probeSegment,
  SegmentNameError,
  syncSegment,
  type Segment,
} from './segments.ts'

const syncIntervalMs = 200
const retryMs = 1000
const syncRetryMs = 5000
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
  /** The folder that holds the folders of all writers; `dir` when missing. */
  rootDir?: string
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
  #writerId: string | undefined
  #seed = 0
  #sequence = 0
  #nextNumber = 0
  #segment: Segment | undefined
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
  #settled: (() => void)[] = []
  #appended = 0
  #unrecorded = 0
  #cutBytes = 0

  constructor(options: JournalOptions) {
    this.#dir = options.dir
    this.#sync = options.sync
    this.#segmentBytesMax = options.segmentBytesMax ?? 64 * 1024 * 1024
    this.#clock = options.clock ?? Date.now
    this.#io = options.io ?? fileSystem
    this.#problems = new ProblemLog(options.onProblem)
    this.#quota = new Quota({
      rootDir: options.rootDir ?? options.dir,
      bytesMax: options.bytesMax,
      io: this.#io,
      onProblem: this.#problems.report,
    })
    this.#retry()
  }

  /** The id of this start's frames; `undefined` while the directory cannot be made. */
  get writerId(): string | undefined {
    return this.#writerId
  }

  /** Takes a scan; its answer comes after the write at the end of this turn of the event loop. */
  append(scan: PreparedScan, answer: Answer): void {
    if (this.#writerId === undefined || this.#blocked === 'closed') this.#refused.push(answer)
    else {
      const buffer = this.#buffer
      buffer.reserve()
      const sequence = this.#sequence + 1
      buffer.end = encodeFrame(buffer.bytes, buffer.end, { sequence, seed: this.#seed, scan })
      this.#sequence = sequence
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
      degraded:
        this.#blocked !== undefined ||
        this.#quota.isFull ||
        this.#segment?.poisoned === true ||
        this.#syncFailures > 0,
      cutBytes: this.#cutBytes,
    }
  }

  /** Writes and syncs what was appended, answers it, and lets go of the files. Scans appended after it are refused. */
  async close(): Promise<void> {
    if (this.#blocked === 'closed') return
    this.#flush()
    while (this.#buffer.recordedBytes > this.#buffer.releasedBytes && this.#startSync()) {
      await new Promise<void>((resolve) => this.#settled.push(resolve))
    }
    this.#blocked = 'closed'
    clearTimeout(this.#syncTimer)
    clearTimeout(this.#retryTimer)
    this.#quota.close()
    this.#flush()
    this.#answer(this.#waiting.splice(0), 0)
    this.#retire()
  }

  readonly #flush = (): void => {
    this.#flushScheduled = false
    const answers = this.#answers
    this.#answers = []
    let recorded = 0
    if (answers.length > 0) {
      recorded = this.#mayWrite() ? this.#writeTurn() : 0
      this.#buffer.dropTurn()
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

  /** Writes the frames of this turn and returns how many are whole in the file, the first ones. */
  #writeTurn(): number {
    const buffer = this.#buffer
    let recorded = 0
    for (let tries = 0; tries < 2; tries++) {
      const segment = this.#segment
      if (segment === undefined) break
      const { bytes, turnStart: from, end: to } = buffer
      const written = writeFully(this.#io, segment.fd, { bytes, from, to, position: segment.offset })
      const whole = wholeFrames(bytes, from, from + written.bytes)
      recorded += whole.count
      segment.offset += whole.end - from
      this.#quota.add(whole.end - from)
      buffer.record(whole.end)
      if (written.error === undefined) return recorded
      this.#problems.report(written.error, 'writing')
      const failure = cutBack(this.#io, segment)
      if (failure !== undefined) this.#problems.report(failure, 'cutting back')
      if (isSpaceError(written.error)) break
      // After any other error the file may hold more than was counted: nothing is added to it any more.
      if (!this.#switchSegment()) this.#retire()
    }
    this.#block('write')
    return recorded
  }

  /** Goes on in a new segment, which begins with all frames that no sync has covered. False: the old one stays. */
  #switchSegment(): boolean {
    if (this.#writerId === undefined) return false
    const pieces = this.#buffer.held()
    const header = {
      number: this.#nextNumber,
      writerId: this.#writerId,
      firstSequence: this.#buffer.firstSequence() ?? this.#sequence + 1,
      createdMs: this.#clock(),
    }
    try {
      const next = createSegment(this.#io, this.#dir, header, pieces)
      this.#retire()
      this.#segment = next
      this.#nextNumber++
      this.#quota.add(next.offset)
      return true
    } catch (error) {
      this.#problems.report(error, 'making a segment')
      if (error instanceof SegmentNameError) {
        this.#nextNumber++
        this.#retire()
      }
      // A bound on the size of files that the held frames alone exceed would be met again for ever.
      if (errorCode(error) === 'EFBIG') this.#letGo()
      return false
    }
  }

  /** Writes no more to the current segment; its descriptor is closed when no sync is using it. */
  #retire(): void {
    const segment = this.#segment
    this.#segment = undefined
    if (segment === undefined) return
    segment.retired = true
    if (!segment.syncing) closeQuietly(this.#io, segment.fd)
  }

  #syncSoon(): void {
    if (this.#sync === 'never' || this.#buffer.recordedBytes === this.#buffer.releasedBytes) return
    if (this.#sync === 'always') this.#startSync()
    else this.#syncTimer ??= setTimeout(this.#syncNow, syncIntervalMs).unref()
  }

  readonly #syncNow = (): void => {
    this.#syncTimer = undefined
    this.#startSync()
  }

  /** Starts a sync of everything written so far, unless one is under way. False: there is nothing to wait for. */
  #startSync(): boolean {
    const segment = this.#segment
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
      else this.#synced(mark, covered)
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

  #synced(mark: number, covered: number): void {
    this.#syncFailures = 0
    if (this.#blocked === 'sync') this.#blocked = undefined
    this.#buffer.release(mark)
    const answers = this.#waiting.splice(0, covered)
    this.#rotateWhenDue()
    this.#answer(answers, answers.length)
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
    else if (this.#segment === undefined) this.#block('write')
    else this.#retryIn(this.#syncFailures > 1 ? syncRetryMs : retryMs)
  }

  /** Gives up making the held frames durable. They stand in the file, but nobody is told that they will stay. */
  #letGo(): void {
    this.#buffer.release(this.#buffer.recordedBytes)
    this.#answer(this.#waiting.splice(0), 0)
  }

  #rotateWhenDue(): void {
    const segment = this.#segment
    if (segment === undefined || this.#blocked !== undefined) return
    const isOld = this.#clock() - segment.createdMs >= segmentAgeMsMax
    if (segment.offset < this.#segmentBytesMax && !isOld) return
    if (!this.#switchSegment() && this.#segment === undefined) this.#block('write')
  }

  #block(reason: 'write' | 'sync'): void {
    if (this.#blocked !== 'closed') this.#blocked = reason
    // Nobody waits for a sync that there may never be.
    if (this.#segment === undefined) this.#answer(this.#waiting.splice(0), 0)
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
  }

  /** Does what is needed before the next write, and tries whether there is room for one. */
  #isReady(): boolean {
    if (this.#writerId === undefined) this.#recover()
    if (this.#segment === undefined || this.#segment.poisoned) return this.#switchSegment()
    if (this.#blocked !== 'write') return true
    const error = probeSegment(this.#io, this.#segment)
    if (error === undefined) return true
    this.#problems.report(error, 'trying to write again')
    return !isSpaceError(error) && this.#switchSegment()
  }

  #recover(): void {
    try {
      const { report } = this.#problems
      const { writerId, sequence, nextNumber, cutBytes } = recoverDirectory(this.#io, this.#dir, report)
      this.#seed = frameSeed(writerId)
      this.#sequence = sequence
      this.#nextNumber = nextNumber
      this.#cutBytes = cutBytes
      this.#writerId = writerId
    } catch (error) {
      this.#problems.report(error, 'starting')
    }
  }
}
