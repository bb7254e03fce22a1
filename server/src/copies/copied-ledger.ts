import { storedDaysUpTo } from '../analytics/copies/code-figures.ts'
import type { Fence } from '../analytics/copies/scan-fence.ts'
import type { ScanStore } from '../analytics/store/store.ts'
import type { Database } from '../db/database.ts'
import { allCheckpoints, type CheckpointPosition } from '../db/scans/ingest-checkpoints.ts'
import { openDatabase, type DatabaseOptions } from '../db/open-database.ts'
import { readRetention, type Retention } from '../db/scans/scan-counters.ts'
import { dayOf, readScanDays, type DayHits } from '../db/scans/scan-days.ts'
import type { CopyManifest } from './manifest.ts'

/** The records of the catalogue about the scans, as of one moment. */
export type CopiedLedger = {
  /** For each writer, the position up to which its journal was ingested. */
  checkpoints: ReadonlyMap<string, CheckpointPosition>
  days: readonly DayHits[]
  retention: Retention | undefined
}

export async function readLedger(db: Database): Promise<CopiedLedger> {
  const checkpoints = await allCheckpoints(db)
  return {
    checkpoints: new Map(checkpoints.map(({ writer, ...position }) => [writer, position])),
    days: await readScanDays(db),
    retention: await readRetention(db),
  }
}

/** Returns the sequence up to which the scans of each writer are counted. */
export function fenceOf({ checkpoints }: CopiedLedger): Fence {
  return new Map([...checkpoints].map(([writer, { sequence }]) => [writer, sequence]))
}

const dayMs = 86_400_000

/** Returns hits by day that the catalogue counted and the store lacks: no copy can hold them. */
export async function lackingDays(store: ScanStore, ledger: CopiedLedger): Promise<CopyManifest['lacking']> {
  const { days, retention } = ledger
  // The retention may have deleted hits of earlier days.
  const firstDay = retention === undefined ? 0 : dayOf(retention.beforeMs) + 1
  const stored = new Map(
    (await storedDaysUpTo(store, fenceOf(ledger))).map(({ writer, day, hits }) => [`${writer} ${day}`, hits]),
  )
  const lacking = new Map<number, number>()
  for (const { writer, day, hits } of days) {
    const missing = hits - (stored.get(`${writer} ${day}`) ?? 0)
    if (missing > 0 && day >= firstDay) lacking.set(day, (lacking.get(day) ?? 0) + missing)
  }
  return [...lacking]
    .toSorted(([a], [b]) => a - b)
    .map(([day, hits]) => ({ day: new Date(day * dayMs).toISOString().slice(0, 10), hits }))
}

/**
 * Throws an Error if the retention has deleted scans since the ledger was read: rows and figures of
 * the copy would differ.
 */
export async function refuseDeletedMeanwhile(
  place: Omit<DatabaseOptions, 'role'>,
  { retention }: CopiedLedger,
): Promise<void> {
  const db = await openDatabase({ ...place, role: 'reader' })
  const now = await readRetention(db)
  await db.close()
  if (now?.beforeMs !== retention?.beforeMs || now?.isDone !== retention?.isDone)
    throw new Error('RETENTION_DAYS deleted old scans while they were copied: make the copy again.')
}
