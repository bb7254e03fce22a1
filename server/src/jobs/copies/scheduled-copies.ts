import { setTimeout as sleep } from 'node:timers/promises'
import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import {
  claimCopy,
  readInstalledAt,
  recordCopyFailed,
  recordCopyMade,
  recordCopyVerified,
  releaseCopy,
  renewCopy,
  type CopyClaim,
} from '../../catalogue/installation/copies.ts'
import type { CopyCounts } from '../../catalogue/rows/copy-row.ts'
import { dueCopyTask, type CopyTask } from '../../catalogue/installation/copy-schedule.ts'
import type { Database } from '../../db/database.ts'
import { LeaseLost } from '../../db/lease.ts'
import { CatalogueUnavailable } from '../../db/errors.ts'
import { errorMessage, FatalError } from '../../errors.ts'
import type { Log } from '../../log.ts'

/** The work of the commands `backup` and `verify`. Both reject with a sentence. */
export type CopyMaker = {
  make: (options: { keep: number; signal: AbortSignal }) => Promise<MadeFile>
  verify: (path: string, options: { signal: AbortSignal }) => Promise<void>
}

export type MadeFile = { path: string; bytes: number; counts: CopyCounts; lacks?: Problem | undefined }

export type ScheduledCopiesOptions = {
  db: Database
  maker: CopyMaker
  dir: string
  everyMs: number
  keep: number
  /** The name of this machine. */
  machine: string
  log: Log
  /** Milliseconds since 1970. */
  clock?: () => number
  pollMs?: number
  /** How long a copy waits for its worker after the worker's last sign of life. */
  leaseMs?: number
}

export type CopyOutcome = 'made' | 'verified' | 'failed'

export type ScheduledCopies = {
  /** Resolves when the work in progress is aborted. */
  stop: () => Promise<void>
  /** Counts of this process since its start. */
  stats: Readonly<Record<CopyOutcome, number>>
}

const reasonCharsMax = 1_500
/** How soon the outcome of a copy is written again if the catalogue did not accept it. */
const recordMs = 1_000

/**
 * Creates and verifies copies when they are due, until it is stopped. Only one worker of an
 * installation does this at a time.
 */
export function startScheduledCopies(options: ScheduledCopiesOptions): ScheduledCopies {
  const { log, pollMs = 5_000 } = options
  const stopping = new AbortController()
  const stats = { made: 0, verified: 0, failed: 0 }
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const done = await runDueTask(options, stats, stopping.signal).catch((error: unknown) => {
        log.warn({ error: errorMessage(error) }, 'scheduled copies: looked again later')
        return false
      })
      if (!done) await sleep(pollMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  const running = loop()
  return {
    stop: async () => {
      stopping.abort(new Error('the service stops'))
      await running
    },
    stats,
  }
}

/** Runs a due task. Returns false if there was nothing to do. */
async function runDueTask(
  options: ScheduledCopiesOptions,
  stats: Record<CopyOutcome, number>,
  signal: AbortSignal,
): Promise<boolean> {
  const { db, machine, dir, everyMs, keep, log, clock = Date.now, leaseMs = 60_000 } = options
  const installedAtMs = await readInstalledAt(db)
  const nowMs = clock()
  const claim = await claimCopy(db, {
    machine,
    dir,
    nowMs,
    leaseMs,
    dueTask: (copies) => dueCopyTask(copies, { everyMs, keep, installedAtMs, machine }, nowMs),
  })
  if (claim === undefined) return false
  const startedMs = performance.now()
  const outcome = await holding(options, claim, { signal, leaseMs, clock })
  if (outcome === undefined) return false
  stats[outcome.kind]++
  const seconds = Math.round((performance.now() - startedMs) / 1000)
  if (outcome.kind === 'failed')
    log.error({ problem: outcome.problem.message, seconds }, 'a scheduled copy failed')
  else if (outcome.problem !== undefined)
    log.error(
      { path: outcome.path, problem: outcome.problem.message, seconds },
      'a scheduled copy lacks scans',
    )
  else log.info({ path: outcome.path, seconds }, `a scheduled copy was ${outcome.kind}`)
  return true
}

/** `problem` of a copy that was made: what it lacks. */
type Ended =
  | { kind: 'made' | 'verified'; path: string; problem?: Problem }
  | { kind: 'failed'; problem: Problem }

/**
 * Works while it renews the lease, and records the outcome. Returns undefined if the work was
 * aborted, or if another worker has the copy now.
 */
async function holding(
  { db, maker, log }: ScheduledCopiesOptions,
  claim: CopyClaim,
  { signal, leaseMs, clock }: { signal: AbortSignal; leaseMs: number; clock: () => number },
): Promise<Ended | undefined> {
  const lost = new AbortController()
  const renewal = setInterval(() => {
    renewCopy(db, claim, { nowMs: clock(), leaseMs }).catch((error: unknown) => {
      // A catalogue that is unavailable lets no other worker take over the copy.
      if (error instanceof LeaseLost) lost.abort(error)
    })
  }, leaseMs / 4)
  try {
    const work = { signal: AbortSignal.any([signal, lost.signal]) }
    const result = await attempt(maker, claim.task, work)
    if (lost.signal.aborted) return undefined
    if (signal.aborted && result.kind === 'failed') {
      await releaseCopy(db, claim).catch(() => undefined)
      return undefined
    }
    await recordSurely(() => record(db, claim, result, clock()), signal)
    return result
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error
    log.warn('another worker has taken over a copy that this one was at')
    return undefined
  } finally {
    clearInterval(renewal)
  }
}

type Result =
  | { kind: 'made'; path: string; file: MadeFile; problem?: Problem }
  | { kind: 'verified'; path: string }
  | { kind: 'failed'; problem: Problem }

async function attempt(maker: CopyMaker, task: CopyTask, work: { signal: AbortSignal }): Promise<Result> {
  try {
    if (task.doing === 'make') {
      const file = await maker.make({ keep: task.keep, ...work })
      const { lacks } = file
      return { kind: 'made', path: file.path, file, ...(lacks !== undefined && { problem: lacks }) }
    }
    await maker.verify(task.copy.path, work)
    return { kind: 'verified', path: task.copy.path }
  } catch (error) {
    const { problem: last, values } = causeOf(error)
    const found =
      task.doing === 'make'
        ? problem('copyNotMade', { ...values, last })
        : problem('copyNotVerified', { ...values, last, copy: task.copy.path })
    return { kind: 'failed', problem: found }
  }
}

/** A command's own words are quoted: they are for the operator, and say what to do. */
function causeOf(error: unknown): Problem {
  if (error instanceof FatalError && error.found !== undefined) return error.found
  return problem('copyCommandFailed', { reason: errorMessage(error).slice(0, reasonCharsMax) })
}

async function record(db: Database, claim: CopyClaim, result: Result, nowMs: number): Promise<void> {
  if (result.kind === 'made') return recordCopyMade(db, claim, { ...result.file, nowMs })
  if (result.kind === 'verified') return recordCopyVerified(db, claim, nowMs)
  return recordCopyFailed(db, claim, { problem: result.problem, nowMs })
}

/**
 * Records an outcome, and repeats that while the catalogue is unavailable: the result of hours of
 * work must not be lost because of a short outage.
 */
async function recordSurely(write: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (!(error instanceof CatalogueUnavailable) || signal.aborted) throw error
      await sleep(recordMs, undefined, { signal }).catch(() => undefined)
    }
  }
}
