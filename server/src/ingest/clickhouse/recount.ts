import { setTimeout as sleep } from 'node:timers/promises'
import { uniqueScansOf, type ScannedCode } from '../../analytics/insert/insert.ts'
import { scansOfCodes } from '../../analytics/figures/old-scans.ts'
import type { ClickHouse } from '../../analytics/store/clickhouse.ts'
import { inTransaction, type Database } from '../../db/database.ts'
import {
  byOrganization,
  correctCounters,
  type CodeScans,
  openBatchIds,
  readCounters,
  readCountersOf,
  type CounterCorrection,
  type OrganizationScans,
  type ScanCounter,
} from '../../db/scans/scan-counters.ts'

const codesPerStep = 2_000
const triesMax = 50
/**
 * Batches started during the count have ids later than this long ago, as `createBatchId` makes
 * them, and there are few of them.
 */
const recentMs = 5_000

/** Runs in the transaction of a correction, with the differences of the codes in it. */
export type AlsoCorrecting = (tx: Database, corrected: readonly CodeScans[]) => Promise<void>

const nothingElse: AlsoCorrecting = async () => {}

/**
 * Sets the counters of codes to the numbers in the store: of codes whose counters have scans, or of
 * all. Returns the correction of each organization's scans.
 */
export async function recountAll(
  db: Database,
  store: ClickHouse,
  {
    signal,
    codes = 'scanned',
    also = nothingElse,
  }: { signal: AbortSignal; codes?: 'scanned' | 'all'; also?: AlsoCorrecting },
): Promise<OrganizationScans[]> {
  const corrected: OrganizationScans[] = []
  for (let after: ScanCounter | undefined; ;) {
    signal.throwIfAborted()
    const counters = await readCounters(db, { after, limit: codesPerStep, codes })
    if (counters.length === 0) return byOrganization(corrected)
    corrected.push(...(await correct(db, store, counters, also)))
    after = counters.at(-1)
  }
}

/** Recounts these codes; skips deleted ones. */
export async function recountCodes(
  db: Database,
  store: ClickHouse,
  codes: readonly ScannedCode[],
  also = nothingElse,
): Promise<void> {
  for (let from = 0; from < codes.length; from += codesPerStep)
    await correct(db, store, codes.slice(from, from + codesPerStep), also)
}

/** Retries counters that batches move in the meantime, until they are stable for a moment. */
async function correct(
  db: Database,
  store: ClickHouse,
  codes: readonly ScannedCode[],
  also: AlsoCorrecting,
): Promise<CodeScans[]> {
  const corrected: CodeScans[] = []
  for (let tries = 0; tries < triesMax; tries++) {
    const counters = await readCountersOf(db, codes)
    const corrections = await correctionsOf(db, store, counters)
    if (corrections?.length === 0) return corrected
    if (corrections !== undefined) corrected.push(...(await correctAnd(db, corrections, also)))
    else await sleep(100)
  }
  throw new Error('counters of scans did not become stable')
}

async function correctAnd(
  db: Database,
  corrections: readonly CounterCorrection[],
  also: AlsoCorrecting,
): Promise<CodeScans[]> {
  return await inTransaction(db, async (tx) => {
    const corrected = await correctCounters(tx, corrections)
    await also(tx, corrected)
    return corrected
  })
}

/**
 * Returns which counters differ from the store. Excludes the scans of open batches, which may be in
 * the store and are in no counter. If a batch settles after its counters were read, the counters
 * change and the correction has no effect. Returns undefined if the difference cannot be determined
 * now.
 */
export async function correctionsOf(
  db: Database,
  store: ClickHouse,
  counters: readonly ScanCounter[],
): Promise<CounterCorrection[] | undefined> {
  const batchIds = await openBatchIds(db)
  const sinceBatchId = `bat_${(Date.now() - recentMs).toString(36).padStart(9, '0')}`
  const scans = await scansOfCodes(store, counters, { batchIds, sinceBatchId })
  const uniques = await uniqueScansOf(store, counters)
  const open = await openBatchIds(db)
  // Started just now, by a machine whose clock is behind.
  if (open.some((id) => id < sinceBatchId && !batchIds.includes(id))) return undefined
  const totals = new Map<string, number>()
  for (const row of scans) {
    const sign = row.batchId === '' ? 1 : open.includes(row.batchId) ? -1 : 0
    totals.set(keyOf(row), (totals.get(keyOf(row)) ?? 0) + sign * row.scans)
  }
  const uniqueScans = new Map(uniques.map((row) => [keyOf(row), row.uniqueScans]))
  return counters
    .map((was) => {
      const totalScans = totals.get(keyOf(was)) ?? 0
      return { was, is: { totalScans, uniqueScans: Math.min(totalScans, uniqueScans.get(keyOf(was)) ?? 0) } }
    })
    .filter(({ was, is }) => was.totalScans !== is.totalScans || was.uniqueScans !== is.uniqueScans)
}

function keyOf({ organizationId, qrCodeId }: { organizationId: string; qrCodeId: string }): string {
  return `${organizationId} ${qrCodeId}`
}
