import { sql } from 'kysely'
import { inTransaction, lockName, tag, type Database } from '../database.ts'
import { insertEvents, type StoredEvent } from '../feeds/event-pages.ts'
import { saveNetworkShare, type NetworkShare } from './network-shares.ts'
import { rowsAsTable } from '../dialects/row-sets.ts'
import { addScanDays } from './scan-days.ts'
import { reserveShortCodes } from './reserved-codes.ts'

/**
 * The position of a reader of a journal: everything up to `sequence` is ingested; the next frame
 * begins at `offset` in bytes.
 */
export type CheckpointPosition = { segment: number; offset: number; sequence: number }

/**
 * A batch about to be inserted into the scan store, saved before the first attempt. The batches of
 * one range of the journal (one per month) have equal `from` and `to`.
 */
export type IngestIntent = {
  batchId: string
  /** The owner of the journal: the id of its directory. */
  writer: string
  from: CheckpointPosition
  to: CheckpointPosition
  /** The month, which is the partition in the scan store, such as `202603`. */
  partition: string
  rows: number
}

/** `scans` are added. `uniqueScans` is the total, and never decreases. */
export type CounterChange = {
  organizationId: string
  qrCodeId: string
  scans: number
  uniqueScans: number
  /** The short code of the lookup; absent in records of earlier releases. */
  shortCode?: string
  /** The host name of the code's domain; absent for PUBLIC_URL. */
  domain?: string
}

/**
 * Returns where the next read of a journal begins, or undefined if nothing of it was ingested yet.
 */
export async function readCheckpoint(db: Database, writer: string): Promise<CheckpointPosition | undefined> {
  const row = await db.kysely
    .selectFrom('journal_checkpoints')
    .select(['segment', 'byte_offset as offset', 'sequence'])
    .where('writer', '=', writer)
    .executeTakeFirst()
  return row
}

/**
 * Returns when a checkpoint was last moved, by the clock of the worker that moved it, or undefined
 * if none was.
 */
export async function readLastCheckpointMs(db: Database): Promise<number | undefined> {
  const row = await db.kysely
    .selectFrom('journal_checkpoints')
    .select('updated_at_ms as atMs')
    .orderBy('updated_at_ms', 'desc')
    .limit(1)
    .modifyEnd(tag('db.readLastCheckpointMs'))
    .executeTakeFirst()
  return row?.atMs
}

/**
 * Saves the intents of one range together. Returns false and saves nothing if the range does not
 * begin at the checkpoint or the writer has open intents: another ingester is working on the
 * journal, or an earlier batch is not settled.
 */
export async function saveIntents(db: Database, intents: readonly IngestIntent[]): Promise<boolean> {
  const [first] = intents
  if (first === undefined) return true
  return inTransaction(db, async (tx) => {
    await lockWriter(tx, first.writer)
    const checkpoint = await readCheckpoint(tx, first.writer)
    const open = await openIntents(tx, first.writer)
    const startsHere = checkpoint === undefined || checkpoint.sequence === first.from.sequence
    if (open.length > 0 || !startsHere) return false
    const createdAtMs = Date.now()
    await tx.kysely
      .insertInto('ingest_intents')
      .values(
        intents.map((intent) => ({
          batch_id: intent.batchId,
          writer: intent.writer,
          intent: JSON.stringify(intent),
          created_at_ms: createdAtMs,
        })),
      )
      .execute()
    return true
  })
}

/** Returns the unsettled batches of a writer, oldest first. */
export async function openIntents(db: Database, writer: string): Promise<IngestIntent[]> {
  const rows = await db.kysely
    .selectFrom('ingest_intents')
    .select('intent')
    .where('writer', '=', writer)
    .orderBy('created_at_ms')
    .orderBy('batch_id')
    .execute()
  return rows.map((row): IngestIntent => JSON.parse(row.intent))
}

/** Returns the unsettled batches of all writers. */
export async function allIntents(db: Database): Promise<(IngestIntent & { createdAtMs: number })[]> {
  const rows = await db.kysely.selectFrom('ingest_intents').select(['intent', 'created_at_ms']).execute()
  return rows.map((row) => ({ ...(JSON.parse(row.intent) as IngestIntent), createdAtMs: row.created_at_ms }))
}

/** The scans of an organization as events. */
export type ScanEvents = { organizationId: string; events: readonly StoredEvent[] }

export type BatchCommit = {
  writer: string
  batchId: string
  /** Either all with their unique scans, or all without, which marks them as due. */
  counters: readonly CounterChange[] | readonly Omit<CounterChange, 'uniqueScans'>[]
  /** Rows of every class in the batch, by day of the scan (days since 1970). */
  days?: ReadonlyMap<number, number>
  events?: readonly ScanEvents[]
  /**
   * The share of the journal's last scans, including these; absent while there are too few scans.
   */
  networks?: NetworkShare | undefined
  /** The new position of the checkpoint; absent for all but the last batch of a range. */
  position?: CheckpointPosition
}

/**
 * Settles a batch whose rows are in the scan store. In one transaction, deletes its intent, moves
 * the counters and the checkpoint, and records its scans as events. Returns undefined and changes
 * nothing if the batch was already settled: then its scans are counted. Skips deleted codes.
 * Reserves short codes that the catalogue never assigned, because it is an older copy, and returns
 * them.
 */
export async function commitBatch(db: Database, commit: BatchCommit): Promise<readonly string[] | undefined> {
  const { writer, batchId, position } = commit
  return inTransaction(db, async (tx) => {
    await lockWriter(tx, writer)
    const settled = await tx.kysely
      .deleteFrom('ingest_intents')
      .where('batch_id', '=', batchId)
      .where('writer', '=', writer)
      .executeTakeFirst()
    if (settled.numDeletedRows === 0n) return undefined
    if (position !== undefined) await moveCheckpoint(tx, writer, position)
    const reserved = await count(tx, commit.counters)
    const days = [...(commit.days ?? [])].map(([day, hits]) => ({ writer, day, hits }))
    await addScanDays(tx, days)
    for (const { organizationId, events } of commit.events ?? [])
      await insertEvents(tx, organizationId, {
        events,
        // Every process that settles the batch creates equal ids.
        seed: `${batchId} ${organizationId}`,
        nowMs: Date.now(),
      })
    if (commit.networks !== undefined) await saveNetworkShare(tx, writer, commit.networks)
    return reserved
  })
}

/**
 * Moves the checkpoint over a range without rows to insert (only damaged or dropped frames). Never
 * moves it back.
 */
export async function saveCheckpoint(
  db: Database,
  writer: string,
  position: CheckpointPosition,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockWriter(tx, writer)
    await moveCheckpoint(tx, writer, position)
  })
}

/** Returns the checkpoints of all writers. */
export async function allCheckpoints(db: Database): Promise<(CheckpointPosition & { writer: string })[]> {
  return db.kysely
    .selectFrom('journal_checkpoints')
    .select(['writer', 'segment', 'byte_offset as offset', 'sequence'])
    .modifyEnd(tag('db.allCheckpoints'))
    .execute()
}

/**
 * Sets where reading of restored journals begins, and deletes batches that were open when the copy
 * was made.
 */
export async function restoreCheckpoints(
  db: Database,
  checkpoints: readonly (CheckpointPosition & { writer: string })[],
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx.kysely.deleteFrom('ingest_intents').modifyEnd(tag('db.restoreCheckpoints')).execute()
    for (const { writer, ...position } of checkpoints) {
      await forgetCheckpoint(tx, writer)
      await moveCheckpoint(tx, writer, position)
    }
  })
}

/**
 * Deletes a checkpoint, so that the journal is read from its beginning. Only for an ingester that
 * skips rows which the scan store already has.
 */
export async function forgetCheckpoint(db: Database, writer: string): Promise<void> {
  await db.kysely.deleteFrom('journal_checkpoints').where('writer', '=', writer).execute()
}

/** Moves the checkpoint of a writer. Never moves it back. */
export async function moveCheckpoint(
  tx: Database,
  writer: string,
  position: CheckpointPosition,
): Promise<void> {
  const values = {
    segment: position.segment,
    byte_offset: position.offset,
    sequence: position.sequence,
    updated_at_ms: Date.now(),
  }
  await tx.kysely
    .insertInto('journal_checkpoints')
    .values({ writer, ...values })
    .onConflict((conflict) =>
      conflict
        .column('writer')
        .doUpdateSet(values)
        .where('journal_checkpoints.sequence', '<=', position.sequence),
    )
    .execute()
}

/** Serializes ingesters of one journal, also before it has its first checkpoint. */
async function lockWriter(tx: Database, writer: string): Promise<void> {
  await lockName(tx, `ingest ${writer}`)
}

/** Updates the counters and returns the short codes that were reserved. */
async function count(tx: Database, counters: BatchCommit['counters']): Promise<readonly string[]> {
  if (counters.length === 0) return []
  // Every caller uses this order, so that two workers rarely wait for each other.
  const sorted = [...counters].sort((a, b) => (a.qrCodeId < b.qrCodeId ? -1 : 1))
  const rows = sorted.map((counter) => ({
    organization_id: counter.organizationId,
    qr_code_id: counter.qrCodeId,
    total_scans: counter.scans,
    ...('uniqueScans' in counter && { unique_scans: counter.uniqueScans }),
  }))
  const uniques = 'uniqueScans' in (counters[0] ?? {}) ? risingUniques : dueUniques
  const { numAffectedRows = 0n } = await sql`/* db.commitBatch */
    update scan_counters
    set total_scans = scan_counters.total_scans + r.total_scans, ${uniques}
    from ${rowsAsTable(tx, 'scan_counters', rows)}
    where scan_counters.organization_id = r.organization_id
    and scan_counters.qr_code_id = r.qr_code_id`.execute(tx.kysely)
  return Number(numAffectedRows) === counters.length ? [] : await reserveShortCodes(tx, counters)
}

const dueUniques = sql`uniques_due = case when r.total_scans > 0 then 1 else scan_counters.uniques_due end`
const risingUniques = sql`unique_scans =
  case when r.unique_scans > scan_counters.unique_scans then r.unique_scans else scan_counters.unique_scans end`

/** A code whose unique scans are due, with its total scans at the time of reading. */
export type DueUniques = { organizationId: string; qrCodeId: string; totalScans: number }

/** Returns at most `limit` codes whose unique scans are due. */
export async function readDueUniques(db: Database, limit: number): Promise<DueUniques[]> {
  return db.kysely
    .selectFrom('scan_counters')
    .select(['organization_id as organizationId', 'qr_code_id as qrCodeId', 'total_scans as totalScans'])
    .where('uniques_due', '=', sql.lit(1))
    .limit(limit)
    .execute()
}

/**
 * Saves unique scans that were due. Returns how many codes are no longer due. A code with new scans
 * since it was read remains due: the count may lack their visitors.
 */
export async function saveDueUniques(
  db: Database,
  counts: readonly (DueUniques & { uniqueScans: number })[],
): Promise<number> {
  if (counts.length === 0) return 0
  const rows = counts.map((counted) => ({
    organization_id: counted.organizationId,
    qr_code_id: counted.qrCodeId,
    total_scans: counted.totalScans,
    unique_scans: counted.uniqueScans,
  }))
  const { numAffectedRows = 0n } = await sql`/* db.saveDueUniques */
    update scan_counters
    set uniques_due = 0, ${risingUniques}
    from ${rowsAsTable(db, 'scan_counters', rows)}
    where scan_counters.organization_id = r.organization_id
    and scan_counters.qr_code_id = r.qr_code_id
    and scan_counters.total_scans = r.total_scans`.execute(db.kysely)
  return Number(numAffectedRows)
}
