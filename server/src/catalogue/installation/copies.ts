import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { inTransaction, lockName, tag, type Database } from '../../db/database.ts'
import { createId } from '../../ids.ts'
import { lastCopy, lastVerifiedCopy, type CopyTask } from './copy-schedule.ts'
import { operatorOrganization } from './operator.ts'
import { recordEvents } from '../ledger/events.ts'
import { readProblem, storedProblem } from '../rows/named-problem.ts'
import type { CopyCounts, CopyRow } from '../rows/copy-row.ts'

/** A copy that this worker may create or verify until its lease ends. */
export type CopyClaim = { id: string; leaseNumber: number; task: CopyTask }

/** Another worker holds the copy now: this worker must not write anything. */
export class CopyLost extends Error {}

export const copiesMax = 100
const lock = 'copies'

/** Returns all known copies, newest first: a little more than `copiesMax`. */
export async function readCopies(db: Database): Promise<CopyRow[]> {
  const rows = await db.kysely
    .selectFrom('copies')
    .selectAll()
    .orderBy('made_at_ms', 'desc')
    .orderBy('id', 'desc')
    .modifyEnd(tag('catalogue.readCopies'))
    .execute()
  return rows.map((row) => ({
    id: row.id,
    madeAtMs: row.made_at_ms,
    machine: row.machine,
    path: row.path,
    bytes: row.bytes,
    state: row.state,
    problem: row.problem,
    ...foundIn(row),
    failures: row.failures,
    checkedAtMs: row.checked_at_ms,
    verifiedAtMs: row.verified_at_ms,
    endedAtMs: row.ended_at_ms,
    counts: row.counts === null ? null : (JSON.parse(row.counts) as CopyCounts),
    leaseNumber: row.lease_number,
    leaseUntilMs: row.lease_until_ms,
  }))
}

/** Absent without a problem, and for a row of a release that names none. */
function foundIn(row: { problem: string | null; named_problem: string | null }): Pick<CopyRow, 'found'> {
  const found = readProblem(row.problem, row.named_problem)
  return found === undefined ? {} : { found }
}

/** Returns when the installation was created, or 0 if the catalogue does not say. */
export async function readInstalledAt(db: Database): Promise<number> {
  const row = await db.kysely
    .selectFrom('installation')
    .select('created_at_ms')
    .modifyEnd(tag('catalogue.readInstalledAt'))
    .executeTakeFirst()
  return row?.created_at_ms ?? 0
}

export type CopyClaimOptions = {
  machine: string
  dir: string
  nowMs: number
  leaseMs: number
  /** Returns the due task. Called only while no worker holds a copy. */
  dueTask: (copies: readonly CopyRow[]) => CopyTask | undefined
}

/**
 * Claims the due task, unless any worker of the installation holds a copy. Marks abandoned copies
 * as failed. Returns undefined if nothing is due.
 */
export async function claimCopy(db: Database, options: CopyClaimOptions): Promise<CopyClaim | undefined> {
  const { nowMs, leaseMs, dueTask } = options
  // Reads without a transaction first: usually nothing is due, and on SQLite a transaction would
  // take the lock for nothing.
  const seen = await readCopies(db)
  if (seen.some((copy) => isHeld(copy, options))) return undefined
  if (seen.every(({ leaseUntilMs }) => leaseUntilMs === null) && dueTask(seen) === undefined) return undefined
  return inTransaction(db, async (tx) => {
    await lockName(tx, lock)
    for (const copy of await readCopies(tx)) {
      if (isHeld(copy, options)) return undefined
      if (copy.leaseUntilMs !== null) await failAbandoned(tx, copy, nowMs)
    }
    const copies = await readCopies(tx)
    const task = dueTask(copies)
    if (task === undefined) return undefined
    if (task.doing === 'make') return insertCopy(tx, { task, copies, ...options })
    const { id, leaseNumber } = task.copy
    await tx.kysely
      .updateTable('copies')
      .set({ lease_number: leaseNumber + 1, lease_until_ms: nowMs + leaseMs })
      .where('id', '=', id)
      .modifyEnd(tag('catalogue.claimCopy'))
      .execute()
    return { id, leaseNumber: leaseNumber + 1, task }
  })
}

/** A lease longer than any that is given came from a clock that has since been set back. */
function isHeld({ leaseUntilMs }: CopyRow, { nowMs, leaseMs }: CopyClaimOptions): boolean {
  return leaseUntilMs !== null && leaseUntilMs > nowMs && leaseUntilMs <= nowMs + 2 * leaseMs
}

async function insertCopy(
  tx: Database,
  options: CopyClaimOptions & { task: CopyTask; copies: readonly CopyRow[] },
): Promise<CopyClaim> {
  const { machine, dir, nowMs, leaseMs, task, copies } = options
  const id = createId('cpy', nowMs)
  await tx.kysely
    .insertInto('copies')
    .values({
      id,
      made_at_ms: nowMs,
      machine,
      path: dir,
      state: 'MAKING',
      failures: copies[0]?.failures ?? 0,
      lease_number: 1,
      lease_until_ms: nowMs + leaseMs,
    })
    .modifyEnd(tag('catalogue.insertCopy'))
    .execute()
  await forgetOldCopies(tx, copies)
  return { id, leaseNumber: 1, task }
}

/** Keeps the last complete and the last verified copy, however many have failed since. */
async function forgetOldCopies(tx: Database, copies: readonly CopyRow[]): Promise<void> {
  const complete = lastCopy(copies)?.id
  const verified = lastVerifiedCopy(copies)?.id
  const old = copies.slice(copiesMax - 1).filter(({ id }) => id !== complete && id !== verified)
  if (old.length === 0) return
  await tx.kysely
    .deleteFrom('copies')
    .where(
      'id',
      'in',
      old.map(({ id }) => id),
    )
    .modifyEnd(tag('catalogue.forgetOldCopies'))
    .execute()
}

/** Extends the lease of a copy. Throws `CopyLost`. */
export async function renewCopy(db: Database, claim: CopyClaim, untilMs: number): Promise<void> {
  await updateHeld(db, claim, { lease_until_ms: untilMs })
}

/** `lacks` says what the copy lacks; undefined if it is complete. */
type MadeCopy = {
  path: string
  bytes: number
  counts: CopyCounts
  lacks?: Problem | undefined
  nowMs: number
}

/**
 * Records that a file was made and read back. If it lacks scans, it is partial, and counts as a
 * failure in a row. Throws `CopyLost`.
 */
export async function recordCopyMade(
  db: Database,
  claim: CopyClaim,
  { path, bytes, counts, lacks, nowMs }: MadeCopy,
): Promise<void> {
  const file = { path, bytes, counts: JSON.stringify(counts), checked_at_ms: nowMs }
  if (lacks === undefined)
    return updateHeld(db, claim, {
      ...file,
      state: 'CHECKED',
      problem: null,
      named_problem: null,
      failures: 0,
      ended_at_ms: nowMs,
      lease_until_ms: null,
    })
  await inTransaction(db, async (tx) => {
    const copy = await heldCopy(tx, claim)
    await updateHeld(tx, claim, file)
    const partial = { ...copy, path, bytes, counts, checkedAtMs: nowMs }
    await failCopy(tx, {
      copy: partial,
      state: 'PARTIAL',
      leaseNumber: claim.leaseNumber,
      found: lacks,
      nowMs,
    })
  })
}

async function heldCopy(tx: Database, { id }: CopyClaim): Promise<CopyRow> {
  const copy = (await readCopies(tx)).find((one) => one.id === id)
  if (copy === undefined) throw new CopyLost(`copy ${id} no longer exists`)
  return copy
}

/** Records that a copy was restored and is equal. Throws `CopyLost`. */
export async function recordCopyVerified(db: Database, claim: CopyClaim, nowMs: number): Promise<void> {
  await updateHeld(db, claim, {
    state: 'VERIFIED',
    problem: null,
    named_problem: null,
    failures: 0,
    verified_at_ms: nowMs,
    ended_at_ms: nowMs,
    lease_until_ms: null,
  })
}

/**
 * Records that creating or verifying a copy failed. The first failure in a row is also an event.
 * Throws `CopyLost`.
 */
export async function recordCopyFailed(
  db: Database,
  claim: CopyClaim,
  { problem: found, nowMs }: { problem: Problem; nowMs: number },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const copy = await heldCopy(tx, claim)
    await failCopy(tx, { copy, leaseNumber: claim.leaseNumber, found, nowMs })
  })
}

/**
 * Releases a copy that stopped because the service stops, as if it had never started. Throws
 * `CopyLost`.
 */
export async function releaseCopy(db: Database, claim: CopyClaim): Promise<void> {
  if (claim.task.doing === 'verify') return updateHeld(db, claim, { lease_until_ms: null })
  await db.kysely
    .deleteFrom('copies')
    .where('id', '=', claim.id)
    .where('lease_number', '=', claim.leaseNumber)
    .where('state', '=', 'MAKING')
    .modifyEnd(tag('catalogue.releaseCopy'))
    .execute()
}

/**
 * Deletes unfinished copies from a restored catalogue. Its snapshot contains the copy that was
 * running, which the next start would mark as failed.
 */
export async function forgetUnfinishedCopies(db: Database): Promise<void> {
  await db.kysely
    .deleteFrom('copies')
    .where('state', '=', 'MAKING')
    .modifyEnd(tag('catalogue.forgetUnfinishedCopies'))
    .execute()
}

async function failAbandoned(tx: Database, copy: CopyRow, nowMs: number): Promise<void> {
  const found = problem('copyAbandoned', { machine: copy.machine })
  await failCopy(tx, { copy, leaseNumber: copy.leaseNumber, found, nowMs })
}

async function failCopy(
  tx: Database,
  {
    copy,
    state = 'FAILED',
    leaseNumber,
    found,
    nowMs,
  }: {
    copy: CopyRow
    state?: 'FAILED' | 'PARTIAL'
    leaseNumber: number
    found: Problem
    nowMs: number
  },
): Promise<void> {
  const failed = {
    ...copy,
    state,
    problem: found.message,
    found,
    failures: copy.failures + 1,
    endedAtMs: nowMs,
    leaseUntilMs: null,
  } as const
  await updateHeld(
    tx,
    { id: copy.id, leaseNumber },
    {
      state: failed.state,
      problem: failed.problem,
      named_problem: storedProblem(found),
      failures: failed.failures,
      ended_at_ms: failed.endedAtMs,
      lease_until_ms: failed.leaseUntilMs,
    },
  )
  const operator = failed.failures === 1 ? await operatorOrganization(tx) : undefined
  if (operator === undefined) return
  const event = { event: 'copy.failed', atMs: nowMs, data: failed } as const
  await recordEvents(tx, operator, { events: () => [event], nowMs })
}

type CopyUpdate = {
  state?: CopyRow['state']
  path?: string
  bytes?: number
  counts?: string
  problem?: string | null
  named_problem?: string | null
  failures?: number
  checked_at_ms?: number
  verified_at_ms?: number
  ended_at_ms?: number
  lease_until_ms?: number | null
}

async function updateHeld(
  db: Database,
  { id, leaseNumber }: Pick<CopyClaim, 'id' | 'leaseNumber'>,
  update: CopyUpdate,
): Promise<void> {
  const { numUpdatedRows } = await db.kysely
    .updateTable('copies')
    .set(update)
    .where('id', '=', id)
    .where('lease_number', '=', leaseNumber)
    .where('lease_until_ms', 'is not', null)
    .modifyEnd(tag('catalogue.updateHeldCopy'))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new CopyLost(`copy ${id} is no longer held`)
}
