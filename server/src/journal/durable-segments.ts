import type { JournalSync } from '../settings/settings.ts'
import type { Answers } from './answers.ts'
import type { FrameBuffer } from './frame-buffer.ts'
import { asError, closeQuietly, isSpaceError, type JournalIo } from './journal-io.ts'
import type { ProblemLog } from './problem-log.ts'
import type { Quota } from './quota.ts'
import type { SegmentChain } from './segment-chain.ts'
import { probeSegment, segmentHeaderBytes, syncSegment, type Segment } from './segments.ts'

const syncIntervalMs = 200
const retryMs = 1000
const syncRetryMs = 5000
const watchMs = 1000
const segmentAgeMsMax = 10 * 60 * 1000

type Options = {
  io: JournalIo
  dir: string
  clock: () => number
  sync: JournalSync
  segmentBytesMax: number
  buffer: FrameBuffer
  quota: Quota
  problems: ProblemLog
  segments: SegmentChain
  answers: Answers
}

/**
 * The part of the journal that makes the frames of the buffer durable: it writes and syncs them,
 * starts new segments, and retries what the disk refused. Frames that no sync has covered stay in
 * the buffer, so that another segment can take them.
 */
export class DurableSegments {
  readonly #io: JournalIo
  readonly #dir: string
  readonly #clock: () => number
  readonly #sync: JournalSync
  readonly #segmentBytesMax: number
  readonly #buffer: FrameBuffer
  readonly #quota: Quota
  readonly #problems: ProblemLog
  readonly #segments: SegmentChain
  readonly #answers: Answers
  /**
   * The reason why nothing is written at present. Only the retry, or a sync that succeeds, clears
   * it.
   */
  #blocked: 'start' | 'write' | 'sync' | 'closed' | undefined = 'start'
  #syncFailures = 0
  #syncTimer: NodeJS.Timeout | undefined
  #retryTimer: NodeJS.Timeout | undefined
  #watchTimer: NodeJS.Timeout | undefined
  /** Called at the end of the sync in progress. */
  #settled: (() => void)[] = []

  constructor(options: Options) {
    this.#io = options.io
    this.#dir = options.dir
    this.#clock = options.clock
    this.#sync = options.sync
    this.#segmentBytesMax = options.segmentBytesMax
    this.#buffer = options.buffer
    this.#quota = options.quota
    this.#problems = options.problems
    this.#segments = options.segments
    this.#answers = options.answers
  }

  /**
   * Creates the directory, recovers its content and begins a segment, now or as soon as the disk
   * accepts it.
   */
  start(): void {
    this.#watchTimer = setTimeout(this.#watch, watchMs).unref()
    this.#retry()
  }

  get isClosed(): boolean {
    return this.#blocked === 'closed'
  }

  /** Whether scans go unrecorded, or cannot be made durable. */
  get isDegraded(): boolean {
    return this.#blocked !== undefined || this.#segments.current?.poisoned === true || this.#syncFailures > 0
  }

  /** Writes the frames of this turn, and returns how many of them are in the file. */
  writeTurn(frames: number): number {
    let recorded = 0
    if (this.#mayWrite()) {
      recorded = this.#segments.writeTurn()
      if (recorded < frames) this.#block('write')
    }
    this.#buffer.dropTurn()
    if (recorded === 0) this.#rotateWhenSynced()
    return recorded
  }

  /**
   * Releases all written frames. For a journal that is never synced: they are as durable as they
   * get.
   */
  releaseWritten(): void {
    this.#buffer.release(this.#buffer.recordedBytes)
    this.#rotateWhenDue()
  }

  syncSoon(): void {
    if (!this.#hasUnsynced()) return
    if (this.#sync === 'always') this.#startSync()
    else this.#syncTimer ??= setTimeout(this.#syncNow, syncIntervalMs).unref()
  }

  /** Syncs everything that is written. Nothing is written after it. */
  async close(): Promise<void> {
    if (!this.#segments.hasName()) this.#moveSegment()
    while (this.#hasUnsynced() && this.#startSync()) {
      await new Promise<void>((resolve) => this.#settled.push(resolve))
    }
    this.#blocked = 'closed'
    clearTimeout(this.#syncTimer)
    clearTimeout(this.#retryTimer)
    clearTimeout(this.#watchTimer)
  }

  #mayWrite(): boolean {
    return this.#quota.hasRoom(this.#buffer.end - this.#buffer.turnStart) && this.#blocked === undefined
  }

  /** Returns false on failure: the old segment then remains, if there is one. */
  #switchSegment(): boolean {
    const next = this.#segments.next()
    if (next === 'too-large') this.#letGo()
    return next === 'made'
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

  /**
   * Starts a sync of everything written so far, unless one is in progress. Returns false if there
   * is nothing to wait for.
   */
  #startSync(): boolean {
    const segment = this.#segments.current
    if (this.#sync === 'never' || segment === undefined || segment.poisoned) return false
    if (segment.syncing) return true
    segment.syncing = true
    const mark = this.#buffer.recordedBytes
    const covered = this.#answers.unsyncedCount
    const done = (error: Error | null): void => {
      segment.syncing = false
      // The segment that followed began with everything that this sync was for, and has its own
      // sync.
      if (segment.retired) closeQuietly(this.#io, segment.fd)
      else if (error) this.#syncFailed(segment, error)
      else if (!this.#segments.hasName()) this.#moveSegment()
      else this.#synced(segment, mark, covered)
      this.syncSoon()
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
    const answers = this.#answers.takeSynced(covered)
    this.#rotateWhenDue()
    this.#answers.give(answers, answers.length)
  }

  /**
   * Continues a lost segment in another one, with the same content. With `always` its answers wait
   * for the sync of that one.
   */
  #moveSegment(): void {
    if (this.#switchSegment()) return
    if (this.#sync === 'always') this.#letGo()
    this.#block('write')
  }

  /**
   * Handles a failed sync. The file is never synced again. What it may have lost is written to a
   * new one, once.
   */
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

  /**
   * Gives up making the held frames durable. They are in the file, but no answer says that they
   * will stay.
   */
  #letGo(): void {
    this.#buffer.release(this.#buffer.recordedBytes)
    this.#answers.giveUpUnsynced()
  }

  #rotateWhenDue(): void {
    const segment = this.#segments.current
    if (segment === undefined || this.#blocked !== undefined || !this.#isDue(segment)) return
    if (!this.#switchSegment() && this.#segments.current === undefined) this.#block('write')
  }

  /**
   * Starts a new segment between syncs, but only when all of the old one is durable. Otherwise,
   * after a power loss, readers could not tell which of two segments in a row that were never
   * synced has the frames.
   */
  #rotateWhenSynced(): void {
    if (!this.#hasUnsynced()) this.#rotateWhenDue()
  }

  #isDue({ offset, writtenMs }: Segment): boolean {
    // An empty segment is as good as a new one.
    if (offset <= segmentHeaderBytes) return false
    // Frames that no sync has covered are copied into the new segment and take room a second time.
    // Without room for that, their sync comes first.
    const heldBytes = this.#buffer.recordedBytes - this.#buffer.releasedBytes
    if (heldBytes > 0 && !this.#quota.fits(heldBytes)) return false
    if (offset >= this.#segmentBytesMax || this.#clock() - writtenMs >= segmentAgeMsMax) return true
    // The newest segment is never removed, so a full journal must begin another before the worker
    // can make room.
    return this.#quota.isFull
  }

  /**
   * Checks for a lost segment, age and a full journal while no more scans arrive, and thus no more
   * syncs run.
   */
  readonly #watch = (): void => {
    if (this.#blocked === undefined && !this.#segments.hasName()) {
      this.#moveSegment()
      this.syncSoon()
    } else this.#rotateWhenSynced()
    this.#watchTimer = setTimeout(this.#watch, watchMs).unref()
  }

  #block(reason: 'write' | 'sync'): void {
    if (this.#blocked !== 'closed') this.#blocked = reason
    // There may never be a sync, so no answer waits for one.
    if (this.#segments.current === undefined) this.#answers.giveUpUnsynced()
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
    // After failed syncs only one that succeeds shows that the disk accepts them again.
    if (this.#blocked === 'sync' && this.#startSync()) return
    this.#blocked = undefined
    if (this.#syncFailures > 0) this.#startSync()
    else this.syncSoon()
  }

  /** Prepares the next write, and checks whether there is room for it. */
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
