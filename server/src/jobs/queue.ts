import { tag, type Database } from '../db/database.ts'

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
  /** Increases with each claim: a worker with an older number can no longer write. */
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

/**
 * Another worker has the job now, or the job was cancelled: nothing of the transaction may stay.
 */
export class LeaseLost extends Error {}

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
  options: ClaimOptions,
): Promise<Claim | undefined> {
  const { nowMs, leaseMs } = options
  for (;;) {
    const found = await findJob(db, kind, options)
    if (found === undefined) return undefined
    const leaseNumber = found.leaseNumber + 1
    const attempts = found.attempts + 1
    const { numUpdatedRows } = await db.kysely
      .updateTable('jobs')
      .set({
        status: 'PROCESSING',
        attempts,
        lease_number: leaseNumber,
        lease_until_ms: nowMs + leaseMs,
        updated_at_ms: nowMs,
      })
      .where('organization_id', '=', found.organizationId)
      .where('id', '=', found.id)
      .where('status', 'in', unfinished)
      .where('lease_number', '=', found.leaseNumber)
      .modifyEnd(tag('jobs.claimJob'))
      .executeTakeFirst()
    if (numUpdatedRows > 0n) return { ...found, attempts, leaseNumber }
  }
}

async function findJob(
  db: Database,
  kind: string,
  { nowMs, leaseMs, except = new Set() }: ClaimOptions,
): Promise<Claim | undefined> {
  return (
    db.kysely
      .selectFrom('jobs as j')
      .select([
        'j.organization_id as organizationId',
        'j.id',
        'j.kind',
        'j.input',
        'j.progress',
        'j.attempts',
        'j.lease_number as leaseNumber',
      ])
      .where('j.kind', '=', kind)
      .where('j.status', 'in', unfinished)
      .$if(except.size > 0, (query) => query.where('j.id', 'not in', [...except]))
      // A time further ahead than any assigned one comes from a clock that has since been set back.
      .where((where) =>
        where.or([
          where('j.lease_until_ms', 'is', null),
          where('j.lease_until_ms', '<=', nowMs),
          where('j.lease_until_ms', '>', nowMs + 2 * leaseMs),
        ]),
      )
      .where((where) =>
        where.or([where('j.run_at_ms', '<=', nowMs), where('j.run_at_ms', '>', nowMs + 2 * retryMsMax)]),
      )
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom('jobs as before')
              .select('before.id')
              .whereRef('before.organization_id', '=', 'j.organization_id')
              .whereRef('before.kind', '=', 'j.kind')
              .whereRef('before.id', '<', 'j.id')
              .where('before.status', 'in', unfinished),
          ),
        ),
      )
      .orderBy('j.updated_at_ms')
      .orderBy('j.id')
      .limit(1)
      .modifyEnd(tag('jobs.findJob'))
      .executeTakeFirst()
  )
}

/**
 * Holds a job: must come first in each transaction of its work. No other worker takes the job until
 * the transaction ends. Throws `LeaseLost`.
 */
export async function holdJob(tx: Database, claim: Claim): Promise<void> {
  await updateHeld(tx, claim, { lease_number: claim.leaseNumber })
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
  await updateHeld(tx, claim, {
    progress: JSON.stringify(progress),
    attempts: 0,
    // A worker that found the job before this, with an older progress, cannot claim it.
    lease_number: claim.leaseNumber + 1,
    lease_until_ms: null,
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
  await updateHeld(tx, claim, {
    status,
    progress: JSON.stringify(progress),
    lease_until_ms: null,
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
  await updateHeld(db, claim, { run_at_ms: runAtMs, lease_until_ms: null, updated_at_ms: nowMs })
}

type JobUpdate = {
  status?: 'COMPLETED' | 'FAILED'
  progress?: string
  attempts?: number
  run_at_ms?: number
  lease_number?: number
  lease_until_ms?: null
  updated_at_ms?: number
  completed_at_ms?: number
}

async function updateHeld(tx: Database, claim: Claim, update: JobUpdate): Promise<void> {
  const { numUpdatedRows } = await tx.kysely
    .updateTable('jobs')
    .set(update)
    .where('organization_id', '=', claim.organizationId)
    .where('id', '=', claim.id)
    .where('status', '=', 'PROCESSING')
    .where('lease_number', '=', claim.leaseNumber)
    .modifyEnd(tag('jobs.updateHeld'))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new LeaseLost(`job ${claim.id} is no longer held`)
}
