import { sql } from 'kysely'
import { createId } from '../ids.ts'
import { inTransaction, lockName, tag, type Database } from './database.ts'
import { hasScanDays } from './scans/scan-days.ts'

/**
 * The identity of an installation: equal in the catalogue, the data directory and the scan store.
 */
export type Installation = {
  id: string
  /** Increments when an older catalogue is restored, and when the owner adopts a part. */
  epoch: number
  /**
   * Increments each minute: a data directory that has seen a higher value detects an older
   * catalogue.
   */
  pulse: number
  secretFingerprint: string | null
  visitorKeyFingerprint: string | null
  /** The id of the installation's scan store; null if it has not connected to one yet. */
  scanStore: string | null
  /** When the hits of all writers and days were first counted; null while they are incomplete. */
  scansCountedAtMs: number | null
}

/** Replaces the id of a store: the installation then adopts the next store that it connects to. */
export const adoptedStore = 'adopted'

const movingPrefix = 'moving:'

/** Replaces the id of a store until the catalogue has completely moved from another database. */
export function movingStore(storeId: string): string {
  return `${movingPrefix}${storeId}`
}

/** Whether a catalogue is a part of an unfinished move. */
export function isMoving({ scanStore }: Pick<Installation, 'scanStore'>): boolean {
  return scanStore?.startsWith(movingPrefix) === true
}

/** Returns the installation of a catalogue, or undefined if it has none yet. */
export async function readInstallation(db: Database): Promise<Installation | undefined> {
  return db.kysely
    .selectFrom('installation')
    .select([
      'id',
      'epoch',
      'pulse',
      'secret_fingerprint as secretFingerprint',
      'visitor_key_fingerprint as visitorKeyFingerprint',
      'scan_store as scanStore',
      'scans_counted_at_ms as scansCountedAtMs',
    ])
    .modifyEnd(tag('db.readInstallation'))
    .executeTakeFirst()
}

/**
 * Changes no row. Throws the error of the database if it may not be written: it is read-only, or
 * this user lacks the right.
 */
export async function requireWritable(db: Database): Promise<void> {
  await sql`/* db.requireWritable */
    update installation
    set id = id
    where id is null`.execute(db.kysely)
}

/** Returns the installation of a catalogue, creating it if necessary. */
export async function ensureInstallation(db: Database): Promise<Installation> {
  return inTransaction(db, async (tx) => {
    await lockName(tx, 'installation')
    const known = await readInstallation(tx)
    if (known !== undefined) return known
    const nowMs = Date.now()
    await tx.kysely
      .insertInto('installation')
      .values({
        id: createId('ins', nowMs),
        epoch: 1,
        pulse: 0,
        secret_fingerprint: null,
        visitor_key_fingerprint: null,
        scan_store: null,
        scans_counted_at_ms: null,
        created_at_ms: nowMs,
        restored_at_ms: null,
      })
      .modifyEnd(tag('db.ensureInstallation'))
      .execute()
    return (await readInstallation(tx)) as Installation
  })
}

const columns = {
  epoch: 'epoch',
  pulse: 'pulse',
  secretFingerprint: 'secret_fingerprint',
  visitorKeyFingerprint: 'visitor_key_fingerprint',
  scanStore: 'scan_store',
  scansCountedAtMs: 'scans_counted_at_ms',
} as const

/** Changes only the given fields. */
export async function updateInstallation(
  db: Database,
  changes: Partial<Omit<Installation, 'id'>>,
): Promise<void> {
  const values = Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [columns[name as keyof typeof columns], value]),
  )
  await db.kysely.updateTable('installation').set(values).modifyEnd(tag('db.updateInstallation')).execute()
}

/** Whether this catalogue was restored and not all its scans are counted yet. */
export async function isCountingRestored(db: Database): Promise<boolean> {
  const row = await db.kysely
    .selectFrom('installation')
    .select('id')
    .where('restored_at_ms', 'is not', null)
    .modifyEnd(tag('db.isCountingRestored'))
    .executeTakeFirst()
  return row !== undefined
}

/** Records that this catalogue was restored, or with null that all its scans are counted. */
export async function setRestoredAt(db: Database, restoredAtMs: number | null): Promise<void> {
  await db.kysely
    .updateTable('installation')
    .set({ restored_at_ms: restoredAtMs })
    .modifyEnd(tag('db.setRestoredAt'))
    .execute()
}

/** A note that the owner of an installation gets once and can read again. */
export type InstallationNote = {
  kind:
    | 'catalogue-behind'
    | 'keys-since'
    | 'scans-doubled'
    | 'counters-corrected'
    | 'scans-put-back'
    | 'scans-lost'
    | 'visitor-key'
    | 'visitors-by-64'
    | 'adopted'
    | 'restored'
    | 'moved'
  detail: Readonly<Record<string, unknown>>
}

export async function addInstallationNote(
  db: Database,
  { kind, detail }: InstallationNote,
  nowMs: number,
): Promise<void> {
  await db.kysely
    .insertInto('installation_notes')
    .values({ id: createId('nte', nowMs), kind, detail: JSON.stringify(detail), created_at_ms: nowMs })
    .modifyEnd(tag('db.addInstallationNote'))
    .execute()
}

/** Returns at most 1,000 notes, newest first. */
export async function readInstallationNotes(
  db: Database,
): Promise<(InstallationNote & { createdAtMs: number })[]> {
  const rows = await db.kysely
    .selectFrom('installation_notes')
    .select(['kind', 'detail', 'created_at_ms'])
    .orderBy('created_at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(1000)
    .modifyEnd(tag('db.readInstallationNotes'))
    .execute()
  return rows.map((row) => ({
    kind: row.kind as InstallationNote['kind'],
    detail: JSON.parse(row.detail),
    createdAtMs: row.created_at_ms,
  }))
}

/** Kinds of notes that mark a day: unique scans before and after it are not comparable. */
export const visitorMarkKinds = ['visitor-key', 'visitors-by-64'] as const
export type VisitorMark = { kind: (typeof visitorMarkKinds)[number]; createdAtMs: number }

/** Returns at most 1,000 of these notes from `startMs` to before `endMs`, oldest first. */
export async function readVisitorMarks(
  db: Database,
  { startMs, endMs }: { startMs: number; endMs: number },
): Promise<VisitorMark[]> {
  const rows = await db.kysely
    .selectFrom('installation_notes')
    .select(['kind', 'created_at_ms as createdAtMs'])
    .where('kind', 'in', visitorMarkKinds)
    .where('created_at_ms', '>=', startMs)
    .where('created_at_ms', '<', endMs)
    .orderBy('created_at_ms')
    .orderBy('id')
    .limit(1000)
    .modifyEnd(tag('db.readVisitorMarks'))
    .execute()
  return rows as VisitorMark[]
}

/** Whether the scan store ever got a scan, as far as the catalogue knows. */
export async function hasHadScans(db: Database): Promise<boolean> {
  const checkpoint = await db.kysely
    .selectFrom('journal_checkpoints')
    .select('writer')
    .limit(1)
    .modifyEnd(tag('db.hasHadScans'))
    .executeTakeFirst()
  return checkpoint !== undefined || (await hasScanDays(db))
}

/** The secret that a fingerprint belongs to. */
export type FingerprintName = 'secretFingerprint' | 'visitorKeyFingerprint'

/**
 * Returns the fingerprint of the installation. If it has none, stores this one with these notes. Of
 * two machines that start together, the first one wins.
 */
export async function claimFingerprint(
  db: Database,
  [name, fingerprint]: readonly [FingerprintName, string],
  { notes, nowMs }: { notes: readonly InstallationNote[]; nowMs: number },
): Promise<string> {
  return inTransaction(db, async (tx) => {
    await lockName(tx, 'installation')
    const known = (await readInstallation(tx))?.[name] ?? null
    if (known !== null) return known
    await updateInstallation(tx, { [name]: fingerprint })
    for (const note of notes) await addInstallationNote(tx, note, nowMs)
    return fingerprint
  })
}

/** Sets the visitor key of the installation, from the next start on; a note marks the day. */
export async function replaceVisitorKey(
  db: Database,
  fingerprint: string,
  { reason, nowMs }: { reason: string; nowMs: number },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockName(tx, 'installation')
    await updateInstallation(tx, { visitorKeyFingerprint: fingerprint })
    await addInstallationNote(tx, { kind: 'visitor-key', detail: { reason } }, nowMs)
  })
}
