import { sql, type Selectable } from 'kysely'
import { inTransaction, lockName, tag, type Database } from '../database.ts'
import { insertRows, isOneOf, rowsAsTable } from '../dialects/row-sets.ts'
import type { Tables } from '../tables.ts'
import { readCounters, type ScanCounter } from './scan-counters.ts'
import {
  forgetCheckpoint,
  moveCheckpoint,
  readCheckpoint,
  type CheckpointPosition,
} from './ingest-checkpoints.ts'

/** A file of scans that the catalogue lists. `stretches` is JSON. */
export type SegmentRow = Selectable<Tables['scan_segments']>

/** `lost` and `deleted` are JSON. */
export type ManifestRow = Omit<Selectable<Tables['scan_manifest']>, 'id'>

export type StoredManifest = ManifestRow & {
  segments: SegmentRow[]
  checkpoints: { writer: string; sequence: number }[]
}

export type ManifestUpdate = {
  /** The revision that is updated; empty before the first update. */
  from: string
  next: ManifestRow
  added: readonly SegmentRow[]
  /** The ids of listed files. */
  removed: readonly string[]
  /** `from` is the sequence that the checkpoint must have, 0 if there is none. */
  checkpoint?: { writer: string; from: number; to: CheckpointPosition }
  /** Writers whose journals are to be read from their beginning. */
  forgotten: readonly string[]
}

/** The changes of the counters of a code. */
export type CounterMove = { organizationId: string; qrCodeId: string; scans: number; uniqueScans: number }

const none: ManifestRow = { revision: '', marks: '', lost: '[]', deleted: '[]' }
const movesAtOnce = 2_000

/** Returns the manifest, once no other transaction is changing it. */
export async function readManifest(db: Database): Promise<StoredManifest> {
  return await inTransaction(db, async (tx) => {
    await lockManifest(tx)
    const row = await readRow(tx)
    const segments = await tx.kysely
      .selectFrom('scan_segments')
      .selectAll()
      .orderBy('id')
      .modifyEnd(tag('db.readManifest'))
      .execute()
    const checkpoints = await tx.kysely
      .selectFrom('journal_checkpoints')
      .select(['writer', 'sequence'])
      .modifyEnd(tag('db.readManifest'))
      .execute()
    return { ...row, segments, checkpoints }
  })
}

/**
 * Returns the row of the manifest, and the files that it lists if its revision is not the known
 * one. Waits for nobody.
 */
export async function readListedSegments(
  db: Database,
  known: string | undefined,
): Promise<ManifestRow & { segments: SegmentRow[] | undefined }> {
  for (;;) {
    const row = await readRow(db)
    const { revision } = row
    if (revision === known) return { ...row, segments: undefined }
    const segments = await db.kysely
      .selectFrom('scan_segments')
      .selectAll()
      .modifyEnd(tag('db.readListedSegments'))
      .execute()
    // Both are of one manifest if it did not change between them.
    if ((await readRow(db)).revision === revision) return { ...row, segments }
  }
}

/**
 * Updates the manifest, in a transaction. Returns false and changes nothing if it has another
 * revision, or the checkpoint another sequence: somebody else has changed it, or an older catalogue
 * was put back.
 */
export async function updateManifest(
  tx: Database,
  { from, next, added, removed, checkpoint, forgotten }: ManifestUpdate,
): Promise<boolean> {
  await lockManifest(tx)
  if ((await readRow(tx)).revision !== from) return false
  if (checkpoint !== undefined) {
    const { writer, to } = checkpoint
    if (((await readCheckpoint(tx, writer))?.sequence ?? 0) !== checkpoint.from) return false
    await moveCheckpoint(tx, writer, to)
  }
  for (const writer of forgotten) await forgetCheckpoint(tx, writer)
  if (removed.length > 0)
    await tx.kysely
      .deleteFrom('scan_segments')
      .where(isOneOf(tx, 'id', removed))
      .modifyEnd(tag('db.updateManifest'))
      .execute()
  await insertRows(tx, 'scan_segments', { rows: added })
  await tx.kysely
    .insertInto('scan_manifest')
    .values({ id: 'scans', ...next })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(next))
    .modifyEnd(tag('db.updateManifest'))
    .execute()
  return true
}

/** Forgets all files: the scans are elsewhere. */
export async function forgetSegments(tx: Database): Promise<void> {
  await tx.kysely.deleteFrom('scan_segments').modifyEnd(tag('db.forgetSegments')).execute()
  await tx.kysely.deleteFrom('scan_manifest').modifyEnd(tag('db.forgetSegments')).execute()
}

/**
 * Adds to the counters of codes, or takes from them. Skips codes that have none: deleted ones, and
 * those that the catalogue does not know. Returns the number of counters.
 */
export async function moveCounters(tx: Database, moves: readonly CounterMove[]): Promise<number> {
  let moved = 0
  // Every caller uses this order, so that two transactions rarely wait for each other.
  const sorted = moves.toSorted((a, b) => (a.qrCodeId < b.qrCodeId ? -1 : 1))
  for (let start = 0; start < sorted.length; start += movesAtOnce) {
    const rows = sorted.slice(start, start + movesAtOnce).map((move) => ({
      organization_id: move.organizationId,
      qr_code_id: move.qrCodeId,
      total_scans: move.scans,
      unique_scans: move.uniqueScans,
    }))
    const { numAffectedRows = 0n } = await sql`/* db.moveCounters */
      update scan_counters
      set total_scans = scan_counters.total_scans + r.total_scans,
        unique_scans = scan_counters.unique_scans + r.unique_scans
      from ${rowsAsTable(tx, 'scan_counters', rows)}
      where scan_counters.organization_id = r.organization_id
      and scan_counters.qr_code_id = r.qr_code_id`.execute(tx.kysely)
    moved += Number(numAffectedRows)
  }
  return moved
}

/**
 * Sets the counters of all codes; those that are not given become 0. Returns the differences.
 */
export async function setCounters(tx: Database, counters: readonly CounterMove[]): Promise<CounterMove[]> {
  const before = await scannedCounters(tx)
  await tx.kysely
    .updateTable('scan_counters')
    .set({ total_scans: 0, unique_scans: 0 })
    .where((where) => where.or([where('total_scans', '<>', 0), where('unique_scans', '<>', 0)]))
    .modifyEnd(tag('db.setCounters'))
    .execute()
  await moveCounters(tx, counters)
  const after = await scannedCounters(tx)
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [was, is] = [before.get(key), after.get(key)]
    const code = is ?? was
    const [scans, uniqueScans] = [
      (is?.totalScans ?? 0) - (was?.totalScans ?? 0),
      (is?.uniqueScans ?? 0) - (was?.uniqueScans ?? 0),
    ]
    if (code === undefined || (scans === 0 && uniqueScans === 0)) return []
    return [{ organizationId: code.organizationId, qrCodeId: code.qrCodeId, scans, uniqueScans }]
  })
}

async function scannedCounters(tx: Database): Promise<Map<string, ScanCounter>> {
  const all = new Map<string, ScanCounter>()
  for (let after: ScanCounter | undefined; ;) {
    const page = await readCounters(tx, { after, limit: movesAtOnce, codes: 'scanned' })
    for (const counter of page) all.set(`${counter.organizationId} ${counter.qrCodeId}`, counter)
    after = page.at(-1)
    if (page.length < movesAtOnce) return all
  }
}

async function readRow(tx: Database): Promise<ManifestRow> {
  const row = await tx.kysely
    .selectFrom('scan_manifest')
    .select(['revision', 'marks', 'lost', 'deleted'])
    .modifyEnd(tag('db.readManifest'))
    .executeTakeFirst()
  return row ?? none
}

/** A transaction whose outcome is unknown to its process holds the lock until it ends. */
async function lockManifest(tx: Database): Promise<void> {
  await lockName(tx, 'scan manifest')
}
