// Shared by tests of copies of scans: an installation with the hits of an archive and of a move,
// and calls that copy, restore and verify it.
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createQrCode } from '../../catalogue/codes/qr-codes.ts'
import { someOrganization, someQrCode } from '../../catalogue/testing/catalogue.ts'
import { inTransaction, type Database } from '../../db/database.ts'
import { ensureInstallation, updateInstallation } from '../../db/installation.ts'
import { openDatabase } from '../../db/open-database.ts'
import { newPostgresDatabase, silentLog } from '../../db/testing/databases.ts'
import { createId } from '../../ids.ts'
import type { ScanImporter } from '../../ingest/imported-hits.ts'
import { lineOfVisit } from '../../ingest/visit-lines.ts'
import { readCopyEntries } from '../copy-file-reader.ts'
import { createCopyFile } from '../copy-file-writer.ts'
import { makeCopy, type CopySource } from '../make-copy.ts'
import type { CopyManifest } from '../manifest.ts'
import { readMeta } from '../read-meta.ts'
import { newStoreId, restoreCopy, type Restored } from '../restore-copy.ts'
import type { CopiedStore, RestoredStore } from '../stores/copied-store.ts'
import { verifyCopy, type VerifiedCopy } from '../verify-copy.ts'

const nowMs = Date.UTC(2026, 2, 20)
const dayMs = 86_400_000
const { signal } = new AbortController()

export type CopyPlace = CopySource['config']

/** Returns the address of a catalogue of the other kind. */
export async function elsewhere(db: Database): Promise<string | undefined> {
  return db.dialect === 'sqlite' ? newPostgresDatabase() : undefined
}

/** Fills a catalogue and its scan store: 60 hits of an archive and 40 visits of a move. */
export async function fill(db: Database, importer: ScanImporter): Promise<void> {
  await ensureInstallation(db)
  await updateInstallation(db, { scansCountedAtMs: nowMs })
  const { id: organizationId } = await someOrganization(db)
  const { id: qrCodeId, shortCode } = await createQrCode(db, organizationId, someQrCode())
  const { id: second } = await createQrCode(db, organizationId, someQrCode())
  const hits = Array.from({ length: 60 }, (_, index) =>
    lineOf(index % 2 ? qrCodeId : second, shortCode, index),
  )
  const visits = Array.from({ length: 40 }, (_, index) => {
    const timeMs = Date.UTC(2026, 2, 1 + (index % 5), 1, 0, index)
    return lineOfVisit({ qrCodeId, shortCode, timeMs, country: 'DE' }).line
  })
  await importHits(db, importer, { organizationId, lines: hits.filter((_, index) => index % 3 === 0), at: 1 })
  await importHits(db, importer, { organizationId, lines: hits.filter((_, index) => index % 3 !== 0), at: 1 })
  await importHits(db, importer, { organizationId, lines: visits, at: 1 })
}

async function importHits(
  db: Database,
  importer: ScanImporter,
  { organizationId, lines, at }: { organizationId: string; lines: readonly unknown[][]; at: number },
): Promise<void> {
  const writer = createId('job')
  let firstSequence = at
  // The lines of an archive come by month.
  for (const month of Map.groupBy(lines, ([, , timeMs]) => new Date(Number(timeMs)).getUTCMonth()).values()) {
    const batch = { organizationId, writer, firstSequence, lines: month }
    const isStored = await importer.store(db, batch, (count) =>
      inTransaction(db, async (tx) => assert.ok(await count(tx))),
    )
    assert.ok(isStored)
    firstSequence += month.length
  }
}

function lineOf(qrCodeId: string, shortCode: string, index: number): unknown[] {
  const visitor = (index % 7).toString(16).padStart(32, '0')
  const place = ['DE', 'Berlin', '', 52.5, 13.4]
  const device = ['mobile', 'iOS', 'Safari', '', 'de']
  const timeMs = Date.UTC(2026, 1, 26) + (index % 9) * dayMs + index
  return [qrCodeId, shortCode, timeMs, visitor, 'human', '', ...place, ...device, '', '', false, false]
}

/** Returns where a catalogue is; that of PostgreSQL has its scans in a folder. */
export function placeOf(db: Database, folder: string): CopyPlace {
  const { source } = db
  const publicUrl = 'https://qr.example.com'
  return source.dialect === 'sqlite'
    ? { databaseUrl: undefined, dataDir: dirname(source.file), publicUrl }
    : { databaseUrl: source.url, dataDir: folder, publicUrl }
}

export async function copyTo(path: string, config: CopyPlace, store: CopiedStore): Promise<string> {
  const others = { missing: [], silent: [] }
  const source = { config, store, secret: undefined, visitorKey: undefined, log: silentLog }
  await makeCopy(source, { path, passphrase: undefined, release: '0.1.0', nowMs, others })
  return path
}

export async function manifestOf(path: string): Promise<CopyManifest> {
  const entries = readCopyEntries(path)
  for (;;) {
    const { done, value } = await entries.next()
    if (done === true) return value as unknown as CopyManifest
  }
}

/** Restores a copy into an empty catalogue and store. The caller closes the catalogue. */
export async function restoreFrom(
  path: string,
  place: { databaseUrl: string | undefined; dataDir: string; store: RestoredStore },
): Promise<Restored & { db: Database }> {
  const found = await restoreCopy(
    { ...place, log: silentLog },
    {
      path,
      passphrase: undefined,
      meta: await readMeta(path, undefined),
      visitorKeyFingerprint: null,
      storeId: newStoreId(place.store.kind),
      nowMs,
      signal,
    },
  )
  const db = await openDatabase({ ...place, role: 'writer', log: silentLog })
  return { ...found, db }
}

export function verify(path: string): Promise<VerifiedCopy> {
  const options = { path, passphrase: undefined, log: silentLog, nowMs, signal }
  return verifyCopy({ ...options, scratch: mkdtempSync(join(dirname(path), 'scratch-')) })
}

/** Writes a copy again without some of its entries, as a whole file with the same manifest. */
export async function copyWithout(path: string, isLeftOut: (name: string) => boolean): Promise<string> {
  const file = await createCopyFile(`${path}.less`, { madeAtMs: nowMs, release: '0.1.0' })
  for await (const { name, bytes } of readCopyEntries(path)) if (!isLeftOut(name)) await file.add(name, bytes)
  await file.finish(await manifestOf(path))
  return `${path}.less`
}

export function sum(rows: readonly { hits: number }[]): number {
  return rows.reduce((all, { hits }) => all + hits, 0)
}
