import type { Fence } from '../analytics/copies/scan-fence.ts'
import type { ScanSegment } from '../analytics/files/manifest.ts'
import type { Database } from '../db/database.ts'
import type { CatalogueSnapshot } from '../db/dump/catalogue-snapshot.ts'
import { scanSegments } from '../db/migrations/versions/scans/0078-scan-segments.ts'
import { scanLosses } from '../db/migrations/versions/scans/0065-scan-losses.ts'
import { allCheckpoints, allIntents, type CheckpointPosition } from '../db/scans/ingest-checkpoints.ts'
import { openDatabase, type DatabaseOptions } from '../db/open-database.ts'
import { readDeletedHits, readRetention, type Retention } from '../db/scans/scan-counters.ts'
import { dayOf, readScanDays, type DayHits } from '../db/scans/scan-days.ts'
import { readScanLosses } from '../db/scans/scan-losses.ts'
import { listedSegments } from '../ingest/files/segment-catalogue.ts'

/** The records of the catalogue about the scans, as of one moment. */
export type CopiedLedger = {
  /** For each writer, the position up to which its journal was ingested. */
  checkpoints: ReadonlyMap<string, CheckpointPosition>
  /** For each writer with a batch that is not settled, the sequence before that batch. */
  open: ReadonlyMap<string, number>
  days: readonly DayHits[]
  /** Hits that the scan store lost, and that the operator has not accepted as lost. */
  losses: readonly DayHits[]
  retention: Retention | undefined
  /** Hits that the retention has deleted so far. */
  deletedHits: number
  /** The files of scans that the catalogue lists. */
  segments: readonly ScanSegment[]
}

export async function readLedger({
  db,
  migrations,
}: Pick<CatalogueSnapshot, 'db' | 'migrations'>): Promise<CopiedLedger> {
  const checkpoints = await allCheckpoints(db)
  const open = new Map<string, number>()
  for (const { writer, from } of await allIntents(db))
    open.set(writer, Math.min(from.sequence, open.get(writer) ?? Infinity))
  // The catalogue may not be upgraded yet.
  const hasLosses = migrations.includes(scanLosses.name)
  return {
    checkpoints: new Map(checkpoints.map(({ writer, ...position }) => [writer, position])),
    open,
    days: await readScanDays(db),
    losses: hasLosses ? await readScanLosses(db) : [],
    retention: await readRetention(db),
    deletedHits: hasLosses ? await readDeletedHits(db) : 0,
    segments: migrations.includes(scanSegments.name)
      ? ((await listedSegments(db)(undefined)).segments ?? [])
      : [],
  }
}

/**
 * Returns the sequence up to which the scans of each writer are counted. `storedBefore` has the
 * last sequences of the store before the ledger was read. A batch leaves a record before its rows
 * come into the store. Therefore rows up to there are either counted, or of a batch that was open.
 * A checkpoint alone would leave out writers that have none, and rows that count although the
 * checkpoint of their writer is behind them, because the journal is gone or an older catalogue was
 * restored.
 */
export function fenceOf({ checkpoints, open }: CopiedLedger, storedBefore: Fence): Fence {
  const fence = new Map<string, number>()
  for (const writer of new Set([...checkpoints.keys(), ...storedBefore.keys(), ...open.keys()])) {
    const counted = Math.max(checkpoints.get(writer)?.sequence ?? 0, storedBefore.get(writer) ?? 0)
    fence.set(writer, open.get(writer) ?? counted)
  }
  return fence
}

/** The result of comparing scans with the ledger. */
export type Holding = {
  /** Hits that the ledger counted and the scans hold. */
  heldHits: number
  /** Hits that the ledger counted and the scans lack. */
  lacking: readonly DayHits[]
  /** Hits that the scans hold and the ledger did not count. */
  surplusHits: number
}

/** Compares scans with the ledger. Days that the retention deletes do not matter. */
export function compareWithLedger(
  { days, losses, retention }: Pick<CopiedLedger, 'days' | 'losses' | 'retention'>,
  held: readonly DayHits[],
): Holding {
  const firstDay = retention === undefined ? -Infinity : dayOf(retention.beforeMs)
  const sums = new Map<string, { row: DayHits; known: number; held: number }>()
  const sumOf = (row: DayHits): { known: number; held: number } => {
    const key = `${row.writer} ${row.day}`
    const sum = sums.get(key) ?? { row, known: 0, held: 0 }
    sums.set(key, sum)
    return sum
  }
  for (const row of [...days, ...losses]) sumOf(row).known += row.hits
  for (const row of held) sumOf(row).held += row.hits
  const all = [...sums.values()]
  return {
    heldHits: all.reduce((sum, one) => sum + Math.min(one.known, one.held), 0),
    surplusHits: all.reduce((sum, one) => sum + Math.max(0, one.held - one.known), 0),
    lacking: all
      .filter(({ row, known, held: has }) => known > has && row.day >= firstDay)
      .map(({ row: { writer, day }, known, held: has }) => ({ writer, day, hits: known - has }))
      .toSorted((a, b) => a.day - b.day || (a.writer < b.writer ? -1 : 1)),
  }
}

/** Reads the same from a catalogue that was restored, before its ledger is set to the store. */
export async function readRestoredLedger(
  db: Database,
): Promise<Pick<CopiedLedger, 'days' | 'losses' | 'retention'>> {
  return {
    days: await readScanDays(db),
    losses: await readScanLosses(db),
    retention: await readRetention(db),
  }
}

/**
 * Throws an Error if the retention has deleted scans since the ledger was read: rows and figures of
 * the copy would differ.
 */
export async function refuseDeletedMeanwhile(
  place: Omit<DatabaseOptions, 'role'>,
  { retention }: Pick<CopiedLedger, 'retention'>,
): Promise<void> {
  const db = await openDatabase({ ...place, role: 'reader' })
  const now = await readRetention(db)
  await db.close()
  if (now?.beforeMs !== retention?.beforeMs || now?.isDone !== retention?.isDone)
    throw new Error('RETENTION_DAYS deleted old scans while they were copied: make the copy again.')
}
