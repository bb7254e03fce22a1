import { join } from 'node:path'
import type { Fence } from '../analytics/copies/scan-fence.ts'
import type { Config } from '../settings/settings.ts'
import { withCatalogueSnapshot } from '../db/dump/dump-catalogue.ts'
import type { CatalogueSnapshot } from '../db/dump/catalogue-snapshot.ts'
import { readInstallation } from '../db/installation.ts'
import { lackingHits } from '../db/scans/lost-hits.ts'
import type { DayHits } from '../db/scans/scan-days.ts'
import type { Log } from '../log.ts'
import { holdSegments, type HeldSegments } from '../journal/hold-segments.ts'
import { createCopyFile, type CopyWriter } from './copy-file-writer.ts'
import { compareWithLedger, fenceOf, readLedger, type CopiedLedger } from './copied-ledger.ts'
import { lackingTexts } from './lacking.ts'
import { copyVersion, entryNames, pieceName, type CopyManifest, type CopyMeta } from './manifest.ts'
import type { CopiedStore, CountedScans } from './stores/copied-store.ts'

/** The installation to copy. */
export type CopySource = {
  config: Pick<Config, 'databaseUrl' | 'dataDir' | 'publicUrl'>
  store: CopiedStore
  /** The keys to put into the copy; undefined leaves a key out. */
  secret: string | undefined
  visitorKey: string | undefined
  log: Log
}

export type CopyOptions = {
  path: string
  passphrase: string | undefined
  release: string
  nowMs: number
  /** Acknowledged scans of other machines that the store lacked before the snapshot. */
  others: Pick<CopyManifest, 'missing' | 'silent'>
  /** About how many scans there are. */
  scansEstimate?: number
  progress?: (step: CopyStep) => void
  signal?: AbortSignal
}

/** Progress: `done` of `of`, in the unit of the step; `of` is an estimate. */
export type CopyStep = { doing: 'catalogue' | 'scans' | 'figures' | 'journal'; done: number; of?: number }

export type MadeCopy = {
  path: string
  bytes: number
  isEncrypted: boolean
  meta: CopyMeta
  manifest: CopyManifest
}

/**
 * Copies an installation into one file while its service runs: the catalogue as of one moment, the
 * scans that it had counted by then, and the later frames in the journals of this machine. The file
 * gets its name once it is complete. Throws errors of catalogue, scan store and file system.
 */
export async function makeCopy(source: CopySource, options: CopyOptions): Promise<MadeCopy> {
  const { config, store, secret, visitorKey, log } = source
  const { path, passphrase, nowMs, release, signal } = options
  // Before the catalogue is read: frames that it does not count as ingested must still exist when
  // they are copied.
  const held = holdSegments(join(config.dataDir, 'journal'))
  try {
    const writer = await createCopyFile(path, {
      madeAtMs: nowMs,
      release,
      ...(passphrase !== undefined && { passphrase }),
    })
    try {
      const storedBefore = await store.storedBefore()
      const { meta, rows, ledger } = await withCatalogueSnapshot({ ...config, log }, async (snapshot) => {
        const read = await readLedger(snapshot)
        const described = await describe(snapshot, source, { nowMs, fence: fenceOf(read, storedBefore) })
        await writer.add(entryNames.meta, jsonBytes(described))
        if (secret !== undefined) await writer.add(entryNames.secret, Buffer.from(secret))
        if (visitorKey !== undefined) await writer.add(entryNames.visitorKey, Buffer.from(visitorKey))
        return { meta: described, rows: await addCatalogue(writer, snapshot, options), ledger: read }
      })
      const fence = new Map(Object.entries(meta.fence))
      const { days, ...counted } = await store.read({ ledger, fence }, (scans) =>
        addScans(writer, scans, options),
      )
      const frames = await addFrames(writer, { held, ledger }, options)
      signal?.throwIfAborted()
      const manifest: CopyManifest = {
        rows,
        ...counted,
        frames,
        damagedBytes: held.damagedBytes,
        ...options.others,
        ...judged(ledger, days),
      }
      const { bytes } = await writer.finish(manifest, {
        installation: meta.installation,
        hits: manifest.held?.hits ?? 0,
        deletedHits: ledger.deletedHits,
        isPartial: lackingTexts(manifest).length > 0,
      })
      return { path, bytes, isEncrypted: passphrase !== undefined, meta, manifest }
    } catch (error) {
      await writer.abandon()
      throw error
    }
  } finally {
    held.release()
  }
}

function judged(ledger: CopiedLedger, days: readonly DayHits[]): Pick<CopyManifest, 'lacking' | 'held'> {
  const { heldHits, lacking, surplusHits } = compareWithLedger(ledger, days)
  return {
    lacking: lacking.map(lackingHits),
    held: { hits: heldHits, deletedHits: ledger.deletedHits, surplusHits },
  }
}

async function describe(
  { db, migrations, tables, rows }: CatalogueSnapshot,
  { config, store, secret, visitorKey }: CopySource,
  { nowMs, fence }: { nowMs: number; fence: Fence },
): Promise<CopyMeta> {
  const installation = await readInstallation(db)
  if (installation === undefined)
    throw new Error(
      'the catalogue is of an older release. Start the service once to upgrade it: ./everscan start.',
    )
  return {
    version: copyVersion,
    madeAtMs: nowMs,
    installation: installation.id,
    secretFingerprint: installation.secretFingerprint,
    visitorKeyFingerprint: installation.visitorKeyFingerprint,
    publicUrl: config.publicUrl,
    migrations,
    tables: tables.map((name) => ({ name, columns: rows(name).columns })),
    hasSecret: secret !== undefined,
    hasVisitorKey: visitorKey !== undefined,
    fence: Object.fromEntries(fence),
    ...(store.scansIn !== undefined && { scansIn: store.scansIn }),
  }
}

async function addCatalogue(
  writer: CopyWriter,
  { tables, rows }: CatalogueSnapshot,
  { progress, signal }: CopyOptions,
): Promise<Record<string, number>> {
  const counted: Record<string, number> = {}
  let done = 0
  for (const table of tables) {
    counted[table] = 0
    let piece = 0
    for await (const chunk of rows(table).chunks) {
      signal?.throwIfAborted()
      await writer.add(pieceName(`${entryNames.catalogue}${table}/`, ++piece, 'jsonl'), chunk.bytes)
      counted[table] += chunk.rows
      done += chunk.rows
      progress?.({ doing: 'catalogue', done })
    }
  }
  return counted
}

async function addScans(
  writer: CopyWriter,
  { pieces, days, figures }: CountedScans,
  { progress, signal, scansEstimate: of }: CopyOptions,
): Promise<Pick<CopyManifest, 'scans' | 'scannedCodes'> & { days: readonly DayHits[] }> {
  let scans = 0
  for await (const { name, bytes, rows } of pieces()) {
    signal?.throwIfAborted()
    await writer.add(name, bytes)
    scans += rows
    progress?.({ doing: 'scans', done: scans, ...(of !== undefined && { of }) })
  }
  let scannedCodes = 0
  let piece = 0
  for await (const codes of figures()) {
    signal?.throwIfAborted()
    const lines = codes.map((code) => `${JSON.stringify(code)}\n`).join('')
    await writer.add(pieceName(entryNames.figures, ++piece, 'jsonl'), Buffer.from(lines))
    scannedCodes += codes.length
    progress?.({ doing: 'figures', done: scannedCodes })
  }
  return { scans, scannedCodes, days: await days() }
}

async function addFrames(
  writer: CopyWriter,
  { held, ledger }: { held: HeldSegments; ledger: CopiedLedger },
  { progress, signal }: CopyOptions,
): Promise<number> {
  let frames = 0
  for (const journal of held.writers()) {
    let piece = 0
    for await (const part of held.framesBehind(journal, ledger.checkpoints.get(journal.writer))) {
      signal?.throwIfAborted()
      await writer.add(pieceName(`${entryNames.journal}${journal.writer}/`, ++piece, 'frames'), part.bytes)
      frames += part.frames
      progress?.({ doing: 'journal', done: frames })
    }
  }
  return frames
}

function jsonBytes(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}
