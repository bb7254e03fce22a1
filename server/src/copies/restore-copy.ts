import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { forgetUnfinishedCopies } from '../catalogue/installation/copies.ts'
import { forgetMachines } from '../catalogue/installation/machines.ts'
import { afterOlderCatalogue } from '../catalogue/installation/older-catalogue.ts'
import type { Database } from '../db/database.ts'
import { loadCatalogue } from '../db/dump/load-catalogue.ts'
import { allCheckpoints, restoreCheckpoints } from '../db/scans/ingest-checkpoints.ts'
import { addInstallationNote, updateInstallation, type Installation } from '../db/installation.ts'
import { lackingHits, type LackingHits } from '../db/scans/lost-hits.ts'
import { readScanDays, setScanDays, type DayHits } from '../db/scans/scan-days.ts'
import { changeScanLosses, forgetScanLosses } from '../db/scans/scan-losses.ts'
import {
  lastFrameSequence,
  restoreFrames,
  restoredCheckpoint,
  type FramesToRestore,
  type RestoredRun,
} from '../journal/copy-frames.ts'
import { holdSegments, type HeldSegments } from '../journal/hold-segments.ts'
import { journalStart } from '../journal/reader.ts'
import type { Log } from '../log.ts'
import type { StoreKind } from '../settings/store-kind.ts'
import { writeIdentity } from '../processes/identity-file.ts'
import { readCopyEntries } from './copy-file-reader.ts'
import { compareWithLedger, readRestoredLedger } from './copied-ledger.ts'
import { restoreKeptRows } from './restore-kept-rows.ts'
import type { CopyStep } from './make-copy.ts'
import { entryNames, type CopyManifest, type CopyMeta } from './manifest.ts'
import type { RestoredStore } from './stores/copied-store.ts'

/** The target of a restore: all parts are empty, and no other process uses them. */
export type RestoreTarget = {
  dataDir: string
  databaseUrl: string | undefined
  store: RestoredStore
  log: Log
}

export type RestoreOptions = {
  path: string
  passphrase: string | undefined
  meta: CopyMeta
  /** Fingerprint of the visitor key of the restored installation; may differ from the copy. */
  visitorKeyFingerprint: string | null
  storeId: string
  /** Journals that survived the lost installation, with scans that were recorded after the copy. */
  journalRoot?: string
  nowMs: number
  progress?: (step: CopyStep) => void
  signal: AbortSignal
}

export type Restored = {
  manifest: CopyManifest
  rows: ReadonlyMap<string, number>
  scans: number
  frames: number
  /** Hits that the catalogue of the copy had counted and that its scans lack. */
  lacking: readonly LackingHits[]
}

export const newStoreId = (kind: StoreKind): string => `${kind}:${randomBytes(8).toString('hex')}`

/**
 * Restores a copy into an empty target. The catalogue comes last and in one transaction: until then
 * no service can start with the target. Sessions end, pending webhook deliveries are not sent, and
 * the next start ingests the scans of the frames. Throws `CopyProblem` for a damaged file, and
 * errors of catalogue, store and file system.
 */
export async function restoreCopy(target: RestoreTarget, options: RestoreOptions): Promise<Restored> {
  const { dataDir, databaseUrl, store, log } = target
  const { meta, storeId, nowMs, signal } = options
  await store.begin({ installation: meta.installation, store: storeId })
  const { runs, frames, manifest, checkpoints } = await restoreScans(target, options)
  const stored = await store.end(checkpoints, signal)
  const scans = stored.reduce((sum, { hits }) => sum + hits, 0)
  let lacking: readonly DayHits[] = []
  const { passphrase } = options
  const entries = readCopyEntries(options.path, { ...(passphrase !== undefined && { passphrase }), signal })
  const rows = await loadCatalogue(
    { databaseUrl, dataDir, log },
    {
      migrations: meta.migrations,
      parts: catalogueParts(entries, meta, options),
      amend: async (db) => {
        await afterOlderCatalogue(db, { known: [], nowMs })
        await forgetUnfinishedCopies(db)
        await forgetMachines(db)
        await restoreCheckpoints(db, await restoredCheckpoints(db, runs))
        lacking = compareWithLedger(await readRestoredLedger(db), stored).lacking
        await keepLosses(db, lacking, nowMs)
        await setScanDays(db, await correctedDays(db, stored))
        await store.settle(db, signal)
        const { visitorKeyFingerprint } = options
        if (visitorKeyFingerprint !== meta.visitorKeyFingerprint && meta.visitorKeyFingerprint !== null)
          await addInstallationNote(db, { kind: 'visitor-key', detail: { reason: 'restored' } }, nowMs)
        await updateInstallation(db, { scanStore: storeId, visitorKeyFingerprint })
        await addInstallationNote(
          db,
          { kind: 'restored', detail: { madeAt: new Date(meta.madeAtMs).toISOString() } },
          nowMs,
        )
      },
    },
  )
  return { manifest, rows, scans, frames, lacking: lacking.map(lackingHits) }
}

/**
 * Reads the frames of each writer from its checkpoint. The store may have rows behind it, if the
 * copied catalogue was older than its store: ingest skips their frames by name.
 */
async function restoredCheckpoints(db: Database, runs: readonly RestoredRun[]) {
  const known = new Map((await allCheckpoints(db)).map(({ writer, sequence }) => [writer, sequence]))
  return runs.map((run) => ({ writer: run.writer, ...restoredCheckpoint(run, known.get(run.writer)) }))
}

/** The restored installation says what it lacks until that returns, or the operator accepts it. */
async function keepLosses(db: Database, lacking: readonly DayHits[], nowMs: number): Promise<void> {
  await forgetScanLosses(db)
  await changeScanLosses(db, lacking)
  if (lacking.length === 0) return
  const days = [...Map.groupBy(lacking.map(lackingHits), ({ day }) => day)].map(([day, ofDay]) => ({
    day,
    hits: ofDay.reduce((sum, { hits }) => sum + hits, 0),
  }))
  await addInstallationNote(db, { kind: 'scans-lost', detail: { days } }, nowMs)
}

/** Writes the identity of the installation into its data directory. */
export function writeDataDirIdentity(
  dataDir: string,
  { id, epoch, pulse, scanStore }: Installation,
  storeKind: StoreKind,
): void {
  const ownStore = storeKind !== 'server' && scanStore !== null ? { scanStore } : {}
  writeIdentity(dataDir, { installation: id, epoch, pulse, ...ownStore })
}

type RestoredScans = Pick<Restored, 'manifest' | 'frames'> & {
  runs: readonly RestoredRun[]
  /** Those of the catalogue of the copy, by writer. */
  checkpoints: ReadonlyMap<string, number>
}

/** Restores scans into the store, and frames into segments of the first front. */
async function restoreScans(
  { dataDir, store }: RestoreTarget,
  { path, passphrase, meta, journalRoot, progress, signal }: RestoreOptions,
): Promise<RestoredScans> {
  const entries = readCopyEntries(path, { ...(passphrase !== undefined && { passphrase }), signal })
  let scans = 0
  const checkpoints = new Map<string, number>()
  let manifest: CopyManifest | undefined
  async function* frames(): AsyncGenerator<FramesToRestore> {
    for (let next = await entries.next(); ; next = await entries.next()) {
      if (next.done === true) {
        manifest = next.value as unknown as CopyManifest
        return
      }
      const { name, bytes } = next.value
      if (store.takes(name)) {
        scans += await store.add(next.value)
        progress?.({ doing: 'scans', done: scans })
      } else if (name.startsWith(checkpointEntries)) readCheckpoints(bytes, { meta, checkpoints })
      else if (name.startsWith(entryNames.journal)) yield { writer: name.split('/')[1] ?? '', bytes }
    }
  }
  const surviving = journalRoot === undefined ? undefined : holdSegments(journalRoot)
  try {
    const pieces = surviving === undefined ? frames() : withSurvivingFrames(frames(), surviving, meta)
    const runs = await restoreFrames(join(dataDir, 'journal', 'front-0'), pieces)
    if (journalRoot !== undefined) await restoreKeptRows(journalRoot, join(dataDir, 'journal'))
    if (manifest === undefined) throw new Error('unreachable')
    return { frames: runs.reduce((sum, run) => sum + run.frames, 0), manifest, runs, checkpoints }
  } finally {
    surviving?.release()
  }
}

/**
 * Yields the frames of a copy, each writer's followed by its later frames in the surviving
 * journals, and then frames of other writers.
 */
async function* withSurvivingFrames(
  copied: AsyncIterable<FramesToRestore>,
  surviving: HeldSegments,
  { fence }: CopyMeta,
): AsyncGenerator<FramesToRestore> {
  const waiting = new Map(surviving.writers().map((writer) => [writer.writer, writer]))
  async function* behind(writer: string, sequence: number): AsyncGenerator<FramesToRestore> {
    const held = waiting.get(writer)
    waiting.delete(writer)
    if (held === undefined) return
    for await (const { bytes } of surviving.framesBehind(held, { ...journalStart, sequence }))
      yield { writer, bytes }
  }
  let last: { writer: string; sequence: number } | undefined
  for await (const piece of copied) {
    if (last !== undefined && last.writer !== piece.writer) yield* behind(last.writer, last.sequence)
    last = { writer: piece.writer, sequence: lastFrameSequence(piece) }
    yield piece
  }
  if (last !== undefined) yield* behind(last.writer, last.sequence)
  for (const writer of waiting.keys()) yield* behind(writer, fence[writer] ?? 0)
}

const checkpointsTable = 'journal_checkpoints'
const checkpointEntries = `${entryNames.catalogue}${checkpointsTable}/`

function readCheckpoints(
  lines: Buffer,
  { meta: { tables }, checkpoints }: { meta: CopyMeta; checkpoints: Map<string, number> },
): void {
  const { columns = [] } = tables.find(({ name }) => name === checkpointsTable) ?? {}
  const [writerAt, sequenceAt] = [columns.indexOf('writer'), columns.indexOf('sequence')]
  for (const line of lines.toString().trimEnd().split('\n')) {
    const row = JSON.parse(line) as unknown[]
    checkpoints.set(String(row[writerAt]), Number(row[sequenceAt]))
  }
}

const lineFeed = 0x0a

/** Yields the catalogue of a copy in the parts that `loadCatalogue` expects. */
export async function* catalogueParts(
  entries: ReturnType<typeof readCopyEntries>,
  { tables }: CopyMeta,
  { progress, signal }: Pick<RestoreOptions, 'progress' | 'signal'>,
): AsyncGenerator<{ table: string; columns: readonly string[]; bytes: Buffer }> {
  const columnsOf = new Map(tables.map(({ name, columns }) => [name, columns]))
  let done = 0
  for await (const { name, bytes } of entries) {
    signal.throwIfAborted()
    if (!name.startsWith(entryNames.catalogue)) continue
    const table = name.split('/')[1] ?? ''
    yield { table, columns: columnsOf.get(table) ?? [], bytes }
    progress?.({ doing: 'catalogue', done: (done += linesIn(bytes)) })
  }
}

/**
 * Returns the hits by day in the store, and 0 for all other known days: a half-settled batch counts
 * again with its frames.
 */
async function correctedDays(db: Database, stored: readonly DayHits[]): Promise<DayHits[]> {
  const has = new Set(stored.map(({ writer, day }) => `${writer} ${day}`))
  const known = await readScanDays(db)
  const gone = known.filter(({ writer, day }) => !has.has(`${writer} ${day}`))
  return [...stored, ...gone.map((one) => ({ ...one, hits: 0 }))]
}

function linesIn(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) lines++
  return lines
}
