import { sql } from 'kysely'
import { tag, type Database } from '../database.ts'
import { rowsAsTable } from '../dialects/row-sets.ts'

/**
 * The time before which scans are deleted, and whether the work that follows from the deletion is
 * finished.
 */
export type Retention = { beforeMs: number; isDone: boolean }

export async function readRetention(db: Database): Promise<Retention | undefined> {
  const row = await db.kysely
    .selectFrom('scan_retention')
    .select(['before_ms', 'is_done'])
    .modifyEnd(tag('db.readRetention'))
    .executeTakeFirst()
  return row && { beforeMs: row.before_ms, isDone: row.is_done === 1 }
}

/** Returns the number of hits that the retention has deleted since it is counted. */
export async function readDeletedHits(db: Database): Promise<number> {
  const row = await db.kysely
    .selectFrom('scan_retention')
    .select('deleted_hits')
    .modifyEnd(tag('db.readDeletedHits'))
    .executeTakeFirst()
  return row?.deleted_hits ?? 0
}

export async function saveRetention(db: Database, { beforeMs, isDone }: Retention): Promise<void> {
  const values = { before_ms: beforeMs, is_done: isDone ? 1 : 0 }
  await db.kysely
    .insertInto('scan_retention')
    .values({ id: 'scans', ...values })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .modifyEnd(tag('db.saveRetention'))
    .execute()
}

export type ScanCounter = {
  organizationId: string
  qrCodeId: string
  totalScans: number
  uniqueScans: number
}

/**
 * Returns counters after a given code, in the order of organization and id: of codes with scans, or
 * of all codes.
 */
export async function readCounters(
  db: Database,
  {
    after,
    limit,
    codes,
  }: {
    after: Pick<ScanCounter, 'organizationId' | 'qrCodeId'> | undefined
    limit: number
    codes: 'scanned' | 'all'
  },
): Promise<ScanCounter[]> {
  return await db.kysely
    .selectFrom('scan_counters')
    .select([
      'organization_id as organizationId',
      'qr_code_id as qrCodeId',
      'total_scans as totalScans',
      'unique_scans as uniqueScans',
    ])
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(organization_id, qr_code_id) > (${after?.organizationId}, ${after?.qrCodeId})`,
      ),
    )
    .$if(codes === 'scanned', (query) => query.where('total_scans', '>', 0))
    .orderBy('organization_id')
    .orderBy('qr_code_id')
    .limit(limit)
    .modifyEnd(tag('db.readCounters'))
    .execute()
}

/** Returns the counters of these codes, with or without scans. */
export async function readCountersOf(
  db: Database,
  codes: readonly Pick<ScanCounter, 'organizationId' | 'qrCodeId'>[],
): Promise<ScanCounter[]> {
  const rows = codes.map(({ organizationId, qrCodeId }) => ({
    organization_id: organizationId,
    qr_code_id: qrCodeId,
  }))
  if (rows.length === 0) return []
  const found = await sql<ScanCounter>`/* db.readCountersOf */
    select c.organization_id as "organizationId", c.qr_code_id as "qrCodeId",
      c.total_scans as "totalScans", c.unique_scans as "uniqueScans"
    from scan_counters as c
    join ${rowsAsTable(db, 'scan_counters', rows)}
      on c.organization_id = r.organization_id and c.qr_code_id = r.qr_code_id`.execute(db.kysely)
  return found.rows
}

/** Below SQLite's limit of 500 terms in a compound select. */
const countersPerUpdateMax = 400

/** The number of an organization's scans, or a difference. */
export type OrganizationScans = { organizationId: string; scans: number }

/** Returns one row for each organization whose sum is not 0. */
export function byOrganization(rows: readonly OrganizationScans[]): OrganizationScans[] {
  return [...Map.groupBy(rows, ({ organizationId }) => organizationId)]
    .map(([organizationId, ofOne]) => ({
      organizationId,
      scans: ofOne.reduce((sum, row) => sum + row.scans, 0),
    }))
    .filter(({ scans }) => scans !== 0)
}

/** The difference of a code's total scans. */
export type CodeScans = OrganizationScans & { qrCodeId: string }

export type CounterCorrection = { was: ScanCounter; is: Pick<ScanCounter, 'totalScans' | 'uniqueScans'> }

/**
 * Sets counters that are unchanged since they were read; skips a counter that a batch has moved in
 * the meantime. Returns the difference of total scans of each corrected code.
 */
export async function correctCounters(
  db: Database,
  corrections: readonly CounterCorrection[],
): Promise<CodeScans[]> {
  const corrected: CodeScans[] = []
  for (let from = 0; from < corrections.length; from += countersPerUpdateMax) {
    const rows = corrections.slice(from, from + countersPerUpdateMax).map(
      ({ was, is }) => sql`
        select
          ${was.organizationId} as organization_id,
          ${was.qrCodeId} as qr_code_id,
          cast(${was.totalScans} as bigint) as total_before,
          cast(${was.uniqueScans} as bigint) as unique_before,
          cast(${is.totalScans} as bigint) as total_scans,
          cast(${is.uniqueScans} as bigint) as unique_scans`,
    )
    const { rows: updated } = await sql<{ organizationId: string; qrCodeId: string }>`/* db.correctCounters */
      update scan_counters
      set total_scans = fresh.total_scans, unique_scans = fresh.unique_scans
      from (${sql.join(rows, sql` union all `)}) as fresh
      where scan_counters.organization_id = fresh.organization_id
      and scan_counters.qr_code_id = fresh.qr_code_id
      and scan_counters.total_scans = fresh.total_before
      and scan_counters.unique_scans = fresh.unique_before
      returning scan_counters.organization_id as "organizationId", scan_counters.qr_code_id as "qrCodeId"`.execute(
      db.kysely,
    )
    const ids = new Set(updated.map(({ organizationId, qrCodeId }) => `${organizationId} ${qrCodeId}`))
    for (const { was, is } of corrections.slice(from, from + countersPerUpdateMax))
      if (ids.has(`${was.organizationId} ${was.qrCodeId}`))
        corrected.push({
          organizationId: was.organizationId,
          qrCodeId: was.qrCodeId,
          scans: is.totalScans - was.totalScans,
        })
  }
  return corrected
}

/** A restored code whose scans are yet to be counted anew. */
export type RestoredCode = { organizationId: string; qrCodeId: string; restoredAtMs: number }

/** Returns at most `limit` restored codes whose scans are yet to be counted anew. */
export async function readRestoredCodes(db: Database, limit: number): Promise<RestoredCode[]> {
  return db.kysely
    .selectFrom('scan_counters')
    .select(['organization_id as organizationId', 'qr_code_id as qrCodeId', 'restored_at_ms as restoredAtMs'])
    .where('restored_at_ms', '>', sql.lit(0))
    .limit(limit)
    .modifyEnd(tag('db.readRestoredCodes'))
    .execute()
}

/** Marks restored codes as counted; skips a code that was deleted and restored again since. */
export async function markRecounted(db: Database, codes: readonly RestoredCode[]): Promise<void> {
  if (codes.length === 0) return
  const rows = codes.map(({ organizationId, qrCodeId, restoredAtMs }) => ({
    organization_id: organizationId,
    qr_code_id: qrCodeId,
    restored_at_ms: restoredAtMs,
  }))
  await sql`/* db.markRecounted */
    update scan_counters
    set restored_at_ms = 0
    from ${rowsAsTable(db, 'scan_counters', rows)}
    where scan_counters.organization_id = r.organization_id
    and scan_counters.qr_code_id = r.qr_code_id
    and scan_counters.restored_at_ms = r.restored_at_ms`.execute(db.kysely)
}

/** Returns the ids of the unsettled batches of all writers, whose scans no counter includes yet. */
export async function openBatchIds(db: Database): Promise<string[]> {
  const rows = await db.kysely
    .selectFrom('ingest_intents')
    .select('batch_id')
    .modifyEnd(tag('db.openBatchIds'))
    .execute()
  return rows.map((row) => row.batch_id)
}
