import { sql, type Kysely } from 'kysely'
import { inTransaction, lockName, type Database } from './database.ts'
import { insertEvents, type StoredEvent } from './event-pages.ts'
import { saveNetworkShare, type NetworkShare } from './network-shares.ts'
import type { Tables } from './tables.ts'

/** How far a journal was read: everything up to `sequence` is ingested; the next frame begins at `offset` in bytes. */
export type CheckpointPosition = { segment: number; offset: number; sequence: number }

/**
 * A batch that is about to be inserted into the scan store, saved before the first attempt. Batches of one range of the
 * journal (one a month) have the same `from` and `to`.
 */
export type IngestIntent = {
  batchId: string
  /** Whose journal: the id of its directory. */
  writer: string
  from: CheckpointPosition
  to: CheckpointPosition
  /** Month, as the scan store partitions, such as `202603`. */
  partition: string
  rows: number
}

/** `scans` are added; `uniqueScans` is how many there are in all, and never falls. */
export type CounterChange = {
  organizationId: string
  qrCodeId: string
  scans: number
  uniqueScans: number
}

/** Below SQLite's limit of 500 terms in a compound select. */
const countersPerUpdateMax = 400

/** Where the next read of a journal begins; undefined: nothing of it was ingested yet. */
export async function readCheckpoint(db: Database, writer: string): Promise<CheckpointPosition | undefined> {
  const row = await db.kysely
    .selectFrom('journal_checkpoints')
    .select(['segment', 'byte_offset as offset', 'sequence'])
    .where('writer', '=', writer)
    .executeTakeFirst()
  return row
}

/**
 * Saves the intents of one range together. False, and nothing saved, when the range doesn't begin at the
 * checkpoint or the writer has open intents: another ingester is at it, or an earlier batch is not settled.
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

/** The batches whose outcome isn't settled, oldest first. */
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

/** Scans of an organization as events. */
export type ScanEvents = { organizationId: string; events: readonly StoredEvent[] }

export type BatchCommit = {
  writer: string
  batchId: string
  counters: readonly CounterChange[]
  events?: readonly ScanEvents[]
  /** Of the last scans of the journal, with these; absent while there are too few to tell. */
  networks?: NetworkShare | undefined
  /** Where the checkpoint moves; absent for all but the last batch of a range. */
  position?: CheckpointPosition
}

/**
 * Settles a batch whose rows stand in the scan store: its intent goes, the counters and the checkpoint move, and its scans are events, all in one transaction. False, and
 * nothing changed, when it was settled before: then its scans are counted already. Codes that were deleted
 * meanwhile are passed over.
 */
export async function commitBatch(db: Database, commit: BatchCommit): Promise<boolean> {
  const { writer, batchId, position } = commit
  return inTransaction(db, async (tx) => {
    await lockWriter(tx, writer)
    const settled = await tx.kysely
      .deleteFrom('ingest_intents')
      .where('batch_id', '=', batchId)
      .where('writer', '=', writer)
      .executeTakeFirst()
    if (settled.numDeletedRows === 0n) return false
    if (position !== undefined) await moveCheckpoint(tx, writer, position)
    // In one order everywhere, so that two workers cannot wait for each other.
    const counters = [...commit.counters].sort((a, b) => (a.qrCodeId < b.qrCodeId ? -1 : 1))
    for (let from = 0; from < counters.length; from += countersPerUpdateMax)
      await count(tx.kysely, counters.slice(from, from + countersPerUpdateMax))
    for (const { organizationId, events } of commit.events ?? [])
      await insertEvents(tx, organizationId, {
        events,
        // The same batch has the same ids, whoever settles it.
        seed: `${batchId} ${organizationId}`,
        nowMs: Date.now(),
      })
    if (commit.networks !== undefined) await saveNetworkShare(tx, writer, commit.networks)
    return true
  })
}

/** Moves the checkpoint over a range that has nothing to insert (damaged or dropped frames only). Never moves it back. */
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

async function moveCheckpoint(tx: Database, writer: string, position: CheckpointPosition): Promise<void> {
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

/** Two ingesters of one journal take turns, also before the journal has its first checkpoint. */
async function lockWriter(tx: Database, writer: string): Promise<void> {
  await lockName(tx, `ingest ${writer}`)
}

async function count(kysely: Kysely<Tables>, counters: readonly CounterChange[]): Promise<void> {
  const rows = counters.map(
    (counter) => sql`
      select
        ${counter.organizationId} as organization_id,
        ${counter.qrCodeId} as qr_code_id,
        cast(${counter.scans} as bigint) as scans,
        cast(${counter.uniqueScans} as bigint) as unique_scans`,
  )
  await sql`/* db.commitBatch */
    update scan_counters
    set
      total_scans = total_scans + batch.scans,
      unique_scans = case
        when batch.unique_scans > scan_counters.unique_scans then batch.unique_scans
        else scan_counters.unique_scans
      end
    from (${sql.join(rows, sql` union all `)}) as batch
    where scan_counters.organization_id = batch.organization_id
    and scan_counters.qr_code_id = batch.qr_code_id`.execute(kysely)
}
