import { tag, type Database } from '../db/database.ts'
import { claimDue, ended, leases, updateHeld } from '../db/lease.ts'

/** A job that this worker may work on until its lease ends. */
export type Claim = {
  organizationId: string
  id: string
  kind: string
  /** JSON, as stored. */
  input: string
  progress: string
  /** How often the job was claimed since its last progress, including this claim. */
  attempts: number
  leaseNumber: number
}

export type ClaimOptions = {
  nowMs: number
  leaseMs: number
  /**
   * The ids of jobs that this worker is working on: however slow it is, it must not take them from
   * itself.
   */
  except?: ReadonlySet<string>
}

/** The longest time that a failed job waits. */
export const retryMsMax = 60_000

const unfinished = ['PENDING', 'PROCESSING'] as const

/**
 * Returns those of `kinds` that have an unfinished job. A worker without work asks only this, five
 * times a second.
 */
export async function findUnfinishedKinds(db: Database, kinds: readonly string[]): Promise<string[]> {
  const rows = await db.kysely
    .selectFrom('jobs')
    .select('kind')
    .distinct()
    .where('kind', 'in', kinds)
    .where('status', 'in', unfinished)
    .modifyEnd(tag('jobs.findUnfinishedKinds'))
    .execute()
  return rows.map(({ kind }) => kind)
}

/**
 * Claims the job whose last progress is longest ago, so that organizations take turns. Jobs of one
 * kind in one organization run in the order of their creation. Returns undefined if nothing can be
 * done now.
 */
export async function claimJob(
  db: Database,
  kind: string,
  { nowMs, leaseMs, except = new Set() }: ClaimOptions,
): Promise<Claim | undefined> {
  const find = ({ kysely }: Database) =>
    kysely
      .selectFrom('jobs')
      .select(['organization_id as organizationId', 'id', 'kind', 'input', 'progress'])
      .where('kind', '=', kind)
      .where('status', 'in', unfinished)
      .$if(except.size > 0, (query) => query.where('id', 'not in', [...except]))
      // A time further ahead than any assigned one comes from a clock that has since been set back.
      .where((where) =>
        where.or([where('run_at_ms', '<=', nowMs), where('run_at_ms', '>', nowMs + 2 * retryMsMax)]),
      )
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom('jobs as before')
              .select('before.id')
              .whereRef('before.organization_id', '=', 'jobs.organization_id')
              .whereRef('before.kind', '=', 'jobs.kind')
              .whereRef('before.id', '<', 'jobs.id')
              .where('before.status', 'in', unfinished),
          ),
        ),
      )
      .orderBy('updated_at_ms')
      .orderBy('id')
      .modifyEnd(tag('jobs.findJob'))
  const set = () => ({ status: 'PROCESSING', updated_at_ms: nowMs }) as const
  const [claim] = await claimDue(db, leases.job, { find, set, nowMs, leaseMs })
  return claim
}

/**
 * Holds a job: must come first in each transaction of its work. No other worker takes the job until
 * the transaction ends. Throws `LeaseLost`.
 */
export async function holdJob(tx: Database, claim: Claim): Promise<void> {
  await updateHeld(tx, leases.job, claim)
}

/**
 * Saves the progress of a job, and releases it for the next claim, from `runAtMs` on if it has to
 * wait: must come last in the transaction that made the progress. Throws `LeaseLost`.
 */
export async function advanceJob(
  tx: Database,
  claim: Claim,
  { progress, nowMs, runAtMs }: { progress: object; nowMs: number; runAtMs?: number },
): Promise<void> {
  await updateHeld(tx, leases.job, claim, {
    progress: JSON.stringify(progress),
    attempts: 0,
    ...ended(leases.job),
    updated_at_ms: nowMs,
    ...(runAtMs !== undefined && { run_at_ms: runAtMs }),
  })
}

/** Ends a job. Throws `LeaseLost`. */
export async function endJob(
  tx: Database,
  claim: Claim,
  { status, progress, nowMs }: { status: 'COMPLETED' | 'FAILED'; progress: object; nowMs: number },
): Promise<void> {
  await updateHeld(tx, leases.job, claim, {
    status,
    progress: JSON.stringify(progress),
    ...ended(leases.job),
    updated_at_ms: nowMs,
    completed_at_ms: nowMs,
  })
}

/** Postpones a job after a failed try: it may be claimed again at `runAtMs`. Throws `LeaseLost`. */
export async function postponeJob(
  db: Database,
  claim: Claim,
  { runAtMs, nowMs }: { runAtMs: number; nowMs: number },
): Promise<void> {
  await updateHeld(db, leases.job, claim, {
    run_at_ms: runAtMs,
    ...ended(leases.job),
    updated_at_ms: nowMs,
  })
}
