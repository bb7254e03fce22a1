import { createHash, type Hash } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { CodeFigures } from '../analytics/copies/code-figures.ts'
import { withCatalogueSnapshot } from '../db/dump/dump-catalogue.ts'
import type { CataloguePlace } from '../db/dump/catalogue-snapshot.ts'
import { loadCatalogue } from '../db/dump/load-catalogue.ts'
import { migrations as released } from '../db/migrations/migrate.ts'
import { readCountersOf } from '../db/scans/scan-counters.ts'
import { openDatabase } from '../db/open-database.ts'
import type { Log } from '../log.ts'
import { checkCopyFile, readCopyEntries } from './copy-file-reader.ts'
import { headBytes } from './copy-head.ts'
import { lackingTexts } from './lacking.ts'
import type { CopyStep } from './make-copy.ts'
import { entryNames, type CopyManifest, type CopyMeta } from './manifest.ts'
import { readMeta } from './read-meta.ts'
import { catalogueParts, newStoreId, restoreCopy, type RestoreTarget } from './restore-copy.ts'
import { requireFreeSpace } from './room.ts'

export type VerifyOptions = {
  path: string
  passphrase: string | undefined
  /** A folder with space for the restored copy, which is removed afterwards. */
  scratch: string
  log: Log
  nowMs: number
  progress?: (step: CopyStep) => void
  signal: AbortSignal
}

export type VerifiedCopy = {
  meta: CopyMeta
  manifest: CopyManifest
  bytes: number
  /** A sentence for each difference between the restored copy and its manifest. */
  differences: readonly string[]
  /** The scans that the copy lacks, as `lackingTexts` returns them. */
  lacks: readonly string[]
}

/** A restored copy takes about this many times the space of its file. */
export const restoredShare = 4
const differencesMax = 100

/**
 * Restores a copy into a scratch folder, always on SQLite and files there, and compares
 * the result with the copy: rows of each table, organizations and codes to the byte, counters, and
 * the figures of each code. Throws `CopyProblem` for a damaged file.
 */
export async function verifyCopy(options: VerifyOptions): Promise<VerifiedCopy> {
  const { path, passphrase, scratch, log, signal } = options
  const { payloadBytes } = await checkCopyFile(path, { signal })
  const meta = await readMeta(path, passphrase)
  await requireFreeSpace(scratch, payloadBytes * restoredShare)
  const dataDir = await mkdtemp(join(scratch, 'everscan-verify-'))
  try {
    await mkdir(join(dataDir, 'run'))
    // DuckDB is loaded only where it is used.
    const { withRestoredFiles } = await import('./stores/file-copies.ts')
    return await withRestoredFiles({ dataDir }, async (store) => {
      const target: RestoreTarget = { dataDir, databaseUrl: undefined, store, log }
      const restored = await restoreCopy(target, {
        ...options,
        meta,
        visitorKeyFingerprint: meta.visitorKeyFingerprint,
        storeId: newStoreId(store.kind),
      })
      const differences = await compare(target, options, { ...restored, meta })
      const { manifest, lacking } = restored
      const lacks = lackingTexts({ ...manifest, lacking })
      return { meta, manifest, bytes: headBytes + payloadBytes, differences, lacks }
    })
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

type RestoredParts = Awaited<ReturnType<typeof restoreCopy>> & { meta: CopyMeta }

async function compare(
  target: RestoreTarget,
  options: VerifyOptions,
  { manifest, rows, scans, frames, lacking, meta }: RestoredParts,
): Promise<string[]> {
  const differences: string[] = []
  const expect = (what: string, is: number, was: number): void => {
    if (is !== was) differences.push(`${what}: ${is}, but the copy says ${was}`)
  }
  for (const [table, was] of Object.entries(manifest.rows))
    expect(`rows of ${table}`, rows.get(table) ?? 0, was)
  expect('scans', scans, manifest.scans)
  expect('frames of the journals', frames, manifest.frames)
  // Copies of earlier releases do not know all that they lack.
  if (manifest.held !== undefined) expect('lacking hits', hitsOf(lacking), hitsOf(manifest.lacking))
  differences.push(...(await compareFigures(target, options, manifest)))
  differences.push(...(await compareTables(target, options, meta)))
  return differences.slice(0, differencesMax)
}

function hitsOf(lacking: CopyManifest['lacking']): number {
  return lacking.reduce((sum, { hits }) => sum + hits, 0)
}

/** Compares the figures of each code in the copy with the restored store and counters. */
async function compareFigures(
  { store, dataDir, databaseUrl, log }: RestoreTarget,
  { path, passphrase, signal, progress }: VerifyOptions,
  { scannedCodes }: CopyManifest,
): Promise<string[]> {
  const differences: string[] = []
  const db = await openDatabase({ databaseUrl, dataDir, role: 'writer', log })
  const copied = copiedFigures(
    readCopyEntries(path, { ...(passphrase !== undefined && { passphrase }), signal }),
  )
  try {
    let codes = 0
    for await (const page of store.figures()) {
      const counters = new Map((await readCountersOf(db, page)).map((one) => [keyOf(one), one]))
      for (const is of page) {
        const was = (await copied.next()).value as CodeFigures | undefined
        if (JSON.stringify(is) !== JSON.stringify(was))
          differences.push(
            `figures of code ${is.qrCodeId}: ${JSON.stringify(is)}, but the copy says ${JSON.stringify(was)}`,
          )
        const counter = counters.get(keyOf(is))
        // Deleted codes have scans but no counters.
        if (
          counter !== undefined &&
          (counter.totalScans !== is.hits.human || counter.uniqueScans !== is.uniqueScans)
        )
          differences.push(
            `counters of code ${is.qrCodeId}: ${counter.totalScans} scans and ${counter.uniqueScans} unique ones, but it has ${is.hits.human} scans and ${is.uniqueScans} unique ones`,
          )
        if (differences.length > differencesMax) return differences
      }
      codes += page.length
      progress?.({ doing: 'figures', done: codes, of: scannedCodes })
    }
    if (codes !== scannedCodes)
      differences.push(`codes with scans: ${codes}, but the copy says ${scannedCodes}`)
    return differences
  } finally {
    // Nothing after the figures is read, so without this call the file would stay open.
    await copied.return(undefined)
    await db.close()
  }
}

async function* copiedFigures(entries: ReturnType<typeof readCopyEntries>): AsyncGenerator<CodeFigures> {
  for await (const { name, bytes } of entries)
    if (name.startsWith(entryNames.figures))
      for (const line of bytes.toString().trimEnd().split('\n')) yield JSON.parse(line) as CodeFigures
}

/**
 * Tables that a restore changes: sessions end, deliveries fail, counters are recounted, journal
 * positions are new, and the audit logs record it.
 */
const changedByRestore = new Set([
  'audit_log',
  'chore_turns',
  'copies',
  'machines',
  'limit_members',
  'limit_counts',
  'limit_attempts',
  'limit_paces',
  'limit_places',
  'sessions',
  'webhook_deliveries',
  'event_pages',
  'installation',
  'installation_notes',
  'journal_checkpoints',
  'ingest_intents',
  'scan_days',
  'scan_losses',
  'scan_counters',
  'due_uniques',
  'changes',
])

/**
 * Compares the rows of each table with the copy. A restore migrates rows of an earlier release, so
 * these are loaded once more without migrations.
 */
/** Filled by a restore of scans that were not in files. */
const namesOfFiles = new Set(['scan_segments', 'scan_manifest'])

async function compareTables(
  target: RestoreTarget,
  options: VerifyOptions,
  meta: CopyMeta,
): Promise<string[]> {
  const { path, passphrase, signal } = options
  const { tables, migrations } = meta
  let place: CataloguePlace = target
  if (migrations.length < released.length) {
    place = { databaseUrl: undefined, dataDir: join(target.dataDir, 'as-copied'), log: target.log }
    const entries = readCopyEntries(path, { ...(passphrase !== undefined && { passphrase }), signal })
    await loadCatalogue(place, { migrations, parts: catalogueParts(entries, meta, { signal }) })
  }
  const copied = new Map<string, Hash>()
  const hashOf = (table: string): Hash => {
    const known = copied.get(table) ?? createHash('sha256')
    copied.set(table, known)
    return known
  }
  for await (const { name, bytes } of readCopyEntries(path, {
    ...(passphrase !== undefined && { passphrase }),
    signal,
  }))
    if (name.startsWith(entryNames.catalogue)) hashOf(name.split('/')[1] ?? '').update(bytes)
  const differences: string[] = []
  await withCatalogueSnapshot(place, async (snapshot) => {
    for (const { name } of tables) {
      if (changedByRestore.has(name) || (meta.scansIn !== 'files' && namesOfFiles.has(name))) continue
      const is = createHash('sha256')
      for await (const { bytes } of snapshot.rows(name).chunks) is.update(bytes)
      if (is.digest('hex') !== hashOf(name).digest('hex'))
        differences.push(`the rows of ${name} differ from those of the copy`)
    }
  })
  return differences
}

function keyOf({ organizationId, qrCodeId }: { organizationId: string; qrCodeId: string }): string {
  return `${organizationId} ${qrCodeId}`
}
