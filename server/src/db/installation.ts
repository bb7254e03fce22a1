import { createId } from '../ids.ts'
import { inTransaction, lockName, tag, type Database } from './database.ts'
import { hasScanDays } from './scans/scan-days.ts'

/** Who an installation is: the same in the catalogue, in the data directory and in the scan store. */
export type Installation = {
  id: string
  /** Counts the times that an older catalogue was put back, or the owner adopted a part. */
  epoch: number
  /** Counts up each minute: a data directory that has seen a higher one tells an older catalogue. */
  pulse: number
  secretFingerprint: string | null
  visitorKeyFingerprint: string | null
  /** Id of the scan store that belongs to it; null: none was met yet. */
  scanStore: string | null
  /** When the hits of all writers and days were first counted; null: they are not complete. */
  scansCountedAtMs: number | null
}

/** In place of a store's id: whatever store is met next is taken over. */
export const adoptedStore = 'adopted'

/** The installation of a catalogue; `undefined` when it has none yet. */
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

/** The installation of a catalogue, made when it has none yet. */
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

/** Changes what is given; the rest stays. */
export async function updateInstallation(
  db: Database,
  changes: Partial<Omit<Installation, 'id'>>,
): Promise<void> {
  const values = Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [columns[name as keyof typeof columns], value]),
  )
  await db.kysely.updateTable('installation').set(values).modifyEnd(tag('db.updateInstallation')).execute()
}

/** What the owner of an installation is told once and can read again. */
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

/** The notes, newest first; at most 1,000. */
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

/** Kinds of notes about the days from which on unique scans cannot be compared with those before. */
export const visitorMarkKinds = ['visitor-key', 'visitors-by-64'] as const
export type VisitorMark = { kind: (typeof visitorMarkKinds)[number]; createdAtMs: number }

/** Those notes from `startMs` to before `endMs`, oldest first; at most 1,000. */
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

/** Whether any scan was ever taken into the scan store, as far as the catalogue knows. */
export async function hasHadScans(db: Database): Promise<boolean> {
  const checkpoint = await db.kysely
    .selectFrom('journal_checkpoints')
    .select('writer')
    .limit(1)
    .modifyEnd(tag('db.hasHadScans'))
    .executeTakeFirst()
  return checkpoint !== undefined || (await hasScanDays(db))
}

/** Which of the installation's secrets a fingerprint is of. */
export type FingerprintName = 'secretFingerprint' | 'visitorKeyFingerprint'

/**
 * The fingerprint that the installation has: this one, with these notes, if it had none. Of two machines that start at once, one is
 * the first.
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

/** From the next start on the installation has the visitor key of this fingerprint; a note marks the day. */
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
