import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import { LeaseLost } from '../db/lease.ts'
import { CatalogueUnavailable } from '../db/errors.ts'
import { errorMessage } from '../errors.ts'
import type { Log } from '../log.ts'
import { inTurn } from './turns.ts'
import { claimJob, findUnfinishedKinds, postponeJob, retryMsMax, type Claim } from './queue.ts'

/** The work of one kind of job. */
export type JobKind = {
  /**
   * Does a small part of a job, well within a lease. Records the progress with `advanceJob` or
   * `endJob` in the same transaction.
   */
  step: (db: Database, claim: Claim) => Promise<void>
  /** Gives up a job that failed `attemptsMax` times without progress. */
  giveUp: (db: Database, claim: Claim) => Promise<void>
}

/**
 * Returns kinds of jobs whose code is loaded when one of them is claimed first: most services have
 * none for months, and their libraries take memory.
 */
export function loadedLater<Name extends string>(
  names: readonly Name[],
  load: () => Promise<Readonly<Record<Name, JobKind>>>,
): Readonly<Record<string, JobKind>> {
  let loaded: Promise<Readonly<Record<Name, JobKind>>> | undefined
  const kindOf = async (name: Name): Promise<JobKind> => (await (loaded ??= load()))[name]
  const later = (name: Name): JobKind => ({
    step: async (db, claim) => await (await kindOf(name)).step(db, claim),
    giveUp: async (db, claim) => await (await kindOf(name)).giveUp(db, claim),
  })
  return Object.fromEntries(names.map((name) => [name, later(name)]))
}

/**
 * A small task that every worker does at the start and then repeatedly: repeating it must do no
 * harm.
 */
export type Chore = {
  name: string
  everyMs: number
  run: (db: Database, nowMs: number) => Promise<unknown>
  /** Whether it concerns the whole installation: then one machine at a time does it. */
  takesTurns?: true
}

export type JobsOptions = {
  db: Database
  kinds: Readonly<Record<string, JobKind>>
  chores?: readonly Chore[]
  /** The name of this machine, if several share the catalogue. */
  machine?: string | undefined
  log: Log
  /** Milliseconds since 1970. */
  clock?: () => number
  /** How often a worker without work looks for work. */
  pollMs?: number
  /** How long a job waits after its worker died. */
  leaseMs?: number
}

export type Jobs = {
  /** Resolves when the steps in progress have ended. */
  stop: () => Promise<void>
  stats: { steps: number; failures: number }
}

/**
 * The number of steps in progress at the same time: while one waits for the catalogue, another
 * computes.
 */
const lanes = 2
const attemptsMax = 8
const retryMsMin = 500

/**
 * Works on jobs until it is stopped. Any number of workers may do so, on any number of machines.
 */
export function startJobs(options: JobsOptions): Jobs {
  const { log, pollMs = 200 } = options
  const stopping = new AbortController()
  const stats = { steps: 0, failures: 0 }
  const held = new Set<string>()

  async function runLane(): Promise<void> {
    while (!stopping.signal.aborted) {
      const done = await runStep(options, stats, held)
      // SQLite answers without a turn of the event loop, and ingest shares this process.
      if (done) await nextTurn()
      else await sleep(pollMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }

  const chores = (options.chores ?? []).map(async (chore) => repeat(chore, options, stopping.signal))
  const running = Promise.all([...chores, ...Array.from({ length: lanes }, runLane)])
  running.catch((error: unknown) => log.error({ err: error }, 'a lane of jobs ended'))
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
    stats,
  }
}

async function repeat(
  chore: Chore,
  { db, log, machine, clock = Date.now }: JobsOptions,
  signal: AbortSignal,
): Promise<void> {
  const { name, everyMs } = chore
  const run = async () => chore.run(db, clock())
  const isShared = machine !== undefined && chore.takesTurns === true
  while (!signal.aborted) {
    const turn = isShared ? inTurn(db, { name, machine, everyMs }, run) : run()
    await turn.catch((error: unknown) => log.warn({ err: error, chore: name }, 'a chore failed'))
    await sleep(everyMs, undefined, { signal }).catch(() => undefined)
  }
}

/** Runs one step. Returns false if there was nothing to do, or if it cannot be done now. */
async function runStep(
  { db, kinds, log, clock = Date.now, leaseMs = 5_000 }: JobsOptions,
  stats: Jobs['stats'],
  held: Set<string>,
): Promise<boolean> {
  let claim: Claim | undefined
  try {
    const unfinished = await findUnfinishedKinds(db, Object.keys(kinds))
    for (const name of Object.keys(kinds).filter((kind) => unfinished.includes(kind)))
      claim ??= await claimJob(db, name, { nowMs: clock(), leaseMs, except: held })
    if (claim === undefined) return false
    held.add(claim.id)
    const kind = kinds[claim.kind]
    if (claim.attempts > attemptsMax) await kind?.giveUp(db, claim)
    else await kind?.step(db, claim)
    stats.steps++
    return true
  } catch (error) {
    // Cancelled, or another worker was faster: both are fine.
    if (error instanceof LeaseLost) return true
    stats.failures++
    const away = error instanceof CatalogueUnavailable
    log.warn({ error: errorMessage(error), ...(!away && { err: error }), job: claim?.id }, 'a job failed')
    if (claim !== undefined && !away) await retryLater(db, claim, clock())
    return false
  } finally {
    if (claim !== undefined) held.delete(claim.id)
  }
}

/** Postpones a failed job. If not even this can be written, the lease runs out. */
async function retryLater(db: Database, claim: Claim, nowMs: number): Promise<void> {
  const waitMs = Math.min(retryMsMin * 2 ** (claim.attempts - 1), retryMsMax)
  await postponeJob(db, claim, { runAtMs: nowMs + waitMs, nowMs }).catch(() => undefined)
}
