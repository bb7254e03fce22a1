import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { inTransaction, lockName, tag, type Database } from '../../db/database.ts'
import {
  claimDue,
  ended,
  isLeased,
  LeaseLost,
  leases,
  renewed,
  updateHeld,
  updateIfHeld,
  type LeaseTerms,
} from '../../db/lease.ts'
import { createId } from '../../ids.ts'
import { lastCopy, lastVerifiedCopy, type CopyTask } from './copy-schedule.ts'
import { operatorOrganization } from './operator.ts'
import { recordEvents } from '../ledger/events.ts'
import { readProblem, storedProblem } from '../rows/named-problem.ts'
import type { CopyCounts, CopyRow } from '../rows/copy-row.ts'

/** A copy that this worker may create or verify until its lease ends. */
export type CopyClaim = { id: string; leaseNumber: number; task: CopyTask }

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
  const { nowMs, dueTask } = options
  const isHeld = ({ leaseUntilMs }: CopyRow) => isLeased(leaseUntilMs, options)
  // Reads without a transaction first: usually nothing is due, and on SQLite a transaction would
  // take the lock for nothing.
  const seen = await readCopies(db)
  if (seen.some(isHeld)) return undefined
  if (seen.every(({ leaseUntilMs }) => leaseUntilMs === null) && dueTask(seen) === undefined) return undefined
  return inTransaction(db, async (tx) => {
    await lockName(tx, lock)
    for (const copy of await readCopies(tx)) {
      if (isHeld(copy)) return undefined
      if (copy.leaseUntilMs !== null) await failAbandoned(tx, copy, nowMs)
    }
    const copies = await readCopies(tx)
    const task = dueTask(copies)
    if (task === undefined) return undefined
    const copyId = task.doing === 'make' ? await insertCopy(tx, { copies, ...options }) : task.copy.id
    const find = ({ kysely }: Database) =>
      kysely.selectFrom('copies').select('id').where('id', '=', copyId).modifyEnd(tag('catalogue.claimCopy'))
    const [claim] = await claimDue(tx, leases.copy, { find, ...options })
    return claim && { ...claim, task }
  })
}

async function insertCopy(
  tx: Database,
  { machine, dir, nowMs, copies }: CopyClaimOptions & { copies: readonly CopyRow[] },
): Promise<string> {
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
      lease_number: 0,
    })
    .modifyEnd(tag('catalogue.insertCopy'))
    .execute()
  await forgetOldCopies(tx, copies)
  return id
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

/** Extends the lease of a copy. Throws `LeaseLost`. */
export async function renewCopy(db: Database, claim: CopyClaim, terms: LeaseTerms): Promise<void> {
  await updateHeld(db, leases.copy, claim, renewed(leases.copy, terms))
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
 * failure in a row. Throws `LeaseLost`.
 */
export async function recordCopyMade(
  db: Database,
  claim: CopyClaim,
  { path, bytes, counts, lacks, nowMs }: MadeCopy,
): Promise<void> {
  const file = { path, bytes, counts: JSON.stringify(counts), checked_at_ms: nowMs }
  if (lacks === undefined)
    return updateHeld(db, leases.copy, claim, {
      ...file,
      state: 'CHECKED',
      problem: null,
      named_problem: null,
      failures: 0,
      ended_at_ms: nowMs,
      ...ended(leases.copy),
    })
  await inTransaction(db, async (tx) => {
    const copy = await heldCopy(tx, claim)
    await updateHeld(tx, leases.copy, claim, file)
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
  if (copy === undefined) throw new LeaseLost(`copy ${id} no longer exists`)
  return copy
}

/** Records that a copy was restored and is equal. Throws `LeaseLost`. */
export async function recordCopyVerified(db: Database, claim: CopyClaim, nowMs: number): Promise<void> {
  await updateHeld(db, leases.copy, claim, {
    state: 'VERIFIED',
    problem: null,
    named_problem: null,
    failures: 0,
    verified_at_ms: nowMs,
    ended_at_ms: nowMs,
    ...ended(leases.copy),
  })
}

/**
 * Records that creating or verifying a copy failed. The first failure in a row is also an event.
 * Throws `LeaseLost`.
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
 * Releases a copy that stopped because the service stops, as if it had never started. Changes
 * nothing if another worker holds it.
 */
export async function releaseCopy(db: Database, claim: CopyClaim): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await updateIfHeld(tx, leases.copy, claim, ended(leases.copy)))) return
    if (claim.task.doing === 'verify') return
    await tx.kysely
      .deleteFrom('copies')
      .where('id', '=', claim.id)
      .modifyEnd(tag('catalogue.releaseCopy'))
      .execute()
  })
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
  const held = { id: copy.id, leaseNumber }
  await updateHeld(tx, leases.copy, held, {
    state: failed.state,
    problem: failed.problem,
    named_problem: storedProblem(found),
    failures: failed.failures,
    ended_at_ms: failed.endedAtMs,
    ...ended(leases.copy),
  })
  const operator = failed.failures === 1 ? await operatorOrganization(tx) : undefined
  if (operator === undefined) return
  const event = { event: 'copy.failed', atMs: nowMs, data: failed } as const
  await recordEvents(tx, operator, { events: () => [event], nowMs })
}
