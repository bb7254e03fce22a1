import { sql } from 'kysely'
import { inTransaction, type Database } from '../database.ts'
import { addLimitExcess, lockCode, type ExcessReason, type LimitKey } from './limit-excesses.ts'

/** Answers that a front may give without asking again. */
export type Lease = {
  /** 0: the limit is used up. */
  granted: number
  /** How often the count of the code had begun anew. */
  resets: number
}

/** The part of what is left that one lease takes, and the largest lease. */
const share = 32
const leaseMax = 256

/**
 * Takes a lease of a code's limit for at least `want` answers, as far as there are. Beyond that it
 * shrinks to nothing as the limit nears. One statement, so leases of all fronts together never
 * exceed the limit. Undefined: the code has no limit any more.
 */
export async function takeLease(
  db: Database,
  { organizationId, qrCodeId }: LimitKey,
  { nowMs, want = 1 }: { nowMs: number; want?: number },
): Promise<Lease | undefined> {
  const of = sql`organization_id = ${organizationId} and qr_code_id = ${qrCodeId}`
  const left = sql`(scan_limit - taken)`
  const wanted = sql`cast(${want} as bigint)`
  const part = sql`(case
    when ${left} >= ${sql.lit(share * leaseMax)} then ${sql.lit(leaseMax)}
    else ${left} / ${sql.lit(share)}
  end)`
  const size = sql`(case
    when ${wanted} >= ${left} then ${left}
    when ${wanted} >= ${part} then ${wanted}
    else ${part}
  end)`
  // A code that is full is only read.
  const { rows } = await sql<{ granted: number | string; resets: number | string }>`/* db.takeLease */
    update scan_limits
    set
      last_grant = ${size},
      taken = taken + ${size},
      full_at_ms = case when taken + ${size} >= scan_limit then cast(${nowMs} as bigint) end
    where ${of} and taken < scan_limit
    returning last_grant as granted, resets`.execute(db.kysely)
  const [row] = rows
  if (row !== undefined) return { granted: Number(row.granted), resets: Number(row.resets) }
  const found = await sql<{ resets: number | string }>`/* db.readLimit */
    select resets from scan_limits where ${of}`.execute(db.kysely)
  const [full] = found.rows
  return full === undefined ? undefined : { granted: 0, resets: Number(full.resets) }
}

/** Returns whether no answer is left, without taking one. */
export async function isLimitReached(db: Database, { organizationId, qrCodeId }: LimitKey): Promise<boolean> {
  const row = await db.kysely
    .selectFrom('scan_limits')
    .select('taken')
    .where('organization_id', '=', organizationId)
    .where('qr_code_id', '=', qrCodeId)
    .whereRef('taken', '>=', 'scan_limit')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Counts answers that were given without a lease, also beyond the limit, and tells them in the
 * history of the code.
 */
export async function addOwedAnswers(
  db: Database,
  key: LimitKey,
  { answers, nowMs }: { answers: number; nowMs: number },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await addAnswers(tx, key, { answers, nowMs, reason: 'catalogueAway' })
  })
}

/** Returns false if the code has no limit. */
async function addAnswers(
  tx: Database,
  key: LimitKey,
  { answers, nowMs, reason }: { answers: number; nowMs: number; reason: ExcessReason },
): Promise<boolean> {
  await lockCode(tx, key)
  const taken = sql`taken + cast(${answers} as bigint)`
  const { rows } = await sql<{ taken: number | string; scan_limit: number | string }>`/* db.addOwedAnswers */
    update scan_limits
    set
      taken = ${taken},
      full_at_ms = case when ${taken} >= scan_limit then coalesce(full_at_ms, cast(${nowMs} as bigint)) end
    where organization_id = ${key.organizationId} and qr_code_id = ${key.qrCodeId}
    returning taken, scan_limit`.execute(tx.kysely)
  const [row] = rows
  if (row === undefined) return false
  const beyondLimit = Math.min(answers, Math.max(0, Number(row.taken) - Number(row.scan_limit)))
  // Scans that a restored copy did not know were counted when they were answered.
  if (reason === 'catalogueAway' || beyondLimit > 0)
    await addLimitExcess(tx, key, { atMs: nowMs, answers, beyondLimit, reason })
  return true
}

/** Gives back what is left of a lease, unless the count began anew in the meantime. */
export async function returnLease(
  db: Database,
  { organizationId, qrCodeId }: LimitKey,
  { left, resets }: { left: number; resets: number },
): Promise<void> {
  await sql`/* db.returnLease */
    update scan_limits
    set taken = taken - ${left}, full_at_ms = case when taken - ${left} >= scan_limit then full_at_ms end
    where organization_id = ${organizationId}
    and qr_code_id = ${qrCodeId}
    and resets = ${resets}`.execute(db.kysely)
}

/**
 * Counts found scans for the limits of their codes: an older copy of the catalogue did not know
 * them. Returns the number of codes with a limit.
 */
export async function addFoundAnswers(
  db: Database,
  found: readonly (LimitKey & { scans: number })[],
  nowMs: number,
): Promise<number> {
  let counted = 0
  for (const { scans, ...key } of found)
    if (scans > 0) {
      const added = { answers: scans, nowMs, reason: 'catalogueRestored' as const }
      if (await inTransaction(db, (tx) => addAnswers(tx, key, added))) counted++
    }
  return counted
}
