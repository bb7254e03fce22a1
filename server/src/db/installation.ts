import { createId } from '../ids.ts'
import { inTransaction, lockName, tag, type Database } from './database.ts'

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
  kind: 'catalogue-behind' | 'scans-put-back' | 'scans-lost' | 'visitor-key' | 'visitors-by-64' | 'adopted'
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
