import { setTimeout as sleep } from 'node:timers/promises'
import { uniqueScansOf } from '../analytics/insert.ts'
import { scanStoreReady } from '../analytics/migrations.ts'
import { deleteScansBefore, findFirstScans, hasScansBefore, scansOfCodes } from '../analytics/old-scans.ts'
import type { ScanStore } from '../analytics/store.ts'
import type { Database } from '../db/database.ts'
import type { Log } from '../log.ts'
import {
  correctCounters,
  openBatchIds,
  readCounters,
  readRetention,
  saveRetention,
  type ScanCounter,
} from '../db/scan-counters.ts'

export type RetentionOptions = {
  store: ScanStore
  /** Undefined: for ever. What an earlier deletion left half done is finished then, without deleting more. */
  retentionDays: number | undefined
  /** Then the rest is left to the next time. */
  signal: AbortSignal
  /** Absent: deletes whatever is older, at once. */
  grace?: RetentionGrace
}

/** Whether a deletion has to wait that takes more than the days that have passed since the last one. */
export type RetentionGrace = {
  holds: (beforeMs: number) => boolean
  /** There is no such deletion any more: the next one waits anew. */
  release: () => void
}

const dayMs = 86_400_000
const codesPerStep = 2_000
const triesMax = 50
/** Batches begun while counting have later ids than this long ago, as `createBatchId` makes them, and there are few of them. */
const recentMs = 5_000

const graceMsDefault = 12 * 60 * 60 * 1000
/** As far as the boundary goes from one deletion to the next, and a day more. */
const stepMs = 2 * dayMs

/**
 * Deletes are for ever. One that takes in more than the last days waits for 12 hours and says so in the log: RETENTION_DAYS may be mistyped, or the machine's clock
 * years ahead. Whoever meant it, or had the service off for a week, has the scans half a day longer.
 */
export function createRetentionGrace({
  log,
  graceMs = graceMsDefault,
  elapsedMs = () => performance.now(),
}: {
  log: Log
  graceMs?: number
  /** A clock that nobody sets. */
  elapsedMs?: () => number
}): RetentionGrace {
  let held: { beforeMs: number; sinceMs: number } | undefined
  return {
    holds(beforeMs) {
      if (held === undefined || Math.abs(beforeMs - held.beforeMs) >= stepMs) {
        held = { beforeMs, sinceMs: elapsedMs() }
        log.warn(
          { before: new Date(beforeMs).toISOString(), inHours: Math.round(graceMs / 3_600_000) },
          'many scans are about to be deleted: is RETENTION_DAYS what you mean, and is the clock right?',
        )
      }
      return elapsedMs() - held.sinceMs < graceMs
    },
    release() {
      held = undefined
    },
  }
}

/** What is deleted at a moment: all before a midnight (UTC), so that a scan stays for its days and at most one more. */
export function retentionBoundary(retentionDays: number, nowMs: number): number {
  return (Math.floor(nowMs / dayMs) - retentionDays) * dayMs
}

/**
 * Deletes the scans that are older than the retention, from every figure: first scans become the first that are left, and counters of codes what is left.
 * Done once a day; every step can be done again, so after a crash it begins from the start. What comes in with an old time later goes the next day.
 */
export async function deleteOldScans(db: Database, nowMs: number, options: RetentionOptions): Promise<void> {
  try {
    await run(db, nowMs, options)
  } catch (error) {
    if (!options.signal.aborted) throw error
  }
}

async function run(
  db: Database,
  nowMs: number,
  { store, retentionDays, signal, grace }: RetentionOptions,
): Promise<void> {
  const last = await readRetention(db)
  let beforeMs = retentionDays === undefined ? last?.beforeMs : retentionBoundary(retentionDays, nowMs)
  if (beforeMs === undefined) return
  const isStep = last !== undefined && beforeMs - last.beforeMs < stepMs
  if (isStep) grace?.release()
  if (last?.beforeMs === beforeMs && last.isDone) return
  if (!(await scanStoreReady(store))) return
  if (!isStep && (await hasScansBefore(store, beforeMs)) && grace?.holds(beforeMs) === true) {
    // What was begun is finished all the same.
    if (last === undefined || last.isDone) return
    ;({ beforeMs } = last)
  }
  const isCutOff = last !== undefined && !last.isDone
  if (isCutOff || (await hasScansBefore(store, beforeMs))) {
    await saveRetention(db, { beforeMs, isDone: false })
    if (retentionDays !== undefined) await deleteAllBefore(store, beforeMs, signal)
    await findFirstScans(store, signal)
    await batchesSettled(db, signal)
    for (let counted = await countStep(db, store); counted !== undefined;) {
      signal.throwIfAborted()
      counted = await countStep(db, store, counted)
    }
  }
  await saveRetention(db, { beforeMs, isDone: true })
}

/** Again for what came in meanwhile: of its first scans some could be there without it. */
async function deleteAllBefore(store: ScanStore, beforeMs: number, signal: AbortSignal): Promise<void> {
  for (let tries = 0; tries < triesMax && (await hasScansBefore(store, beforeMs)); tries++)
    await deleteScansBefore(store, beforeMs, signal)
}

/**
 * Until the batches that are open now are settled: they may have read how many unique scans there were before. A minute at most, as what they read is written
 * within seconds or read again; one of a machine that is gone stays open.
 */
async function batchesSettled(db: Database, signal: AbortSignal): Promise<void> {
  const open = new Set(await openBatchIds(db))
  for (const endMs = Date.now() + 60_000; Date.now() < endMs; await sleep(100, undefined, { signal }))
    if (!(await openBatchIds(db)).some((id) => open.has(id))) return
}

/** Some codes after one; gives the last of them. Counters that batches move meanwhile are tried again until they stand still for a moment. */
async function countStep(
  db: Database,
  store: ScanStore,
  after?: ScanCounter,
): Promise<ScanCounter | undefined> {
  for (let tries = 0; tries < triesMax; tries++) {
    const counters = await readCounters(db, { after, limit: codesPerStep })
    if (counters.length === 0) return undefined
    const corrections = await correctionsOf(db, store, counters)
    if (corrections?.length === 0) return counters.at(-1)
    if (corrections !== undefined) await correctCounters(db, corrections)
    else await sleep(100)
  }
  throw new Error('counters of scans did not stand still')
}

type Correction = Parameters<typeof correctCounters>[1][number]

/**
 * Which counters are not what the store has. A batch that is open is in the store, or not, and in no counter: its scans are left out. One that is
 * settled between the reading of counters and now changes counters, and the correction comes to nothing. Undefined: it cannot be told now.
 */
async function correctionsOf(
  db: Database,
  store: ScanStore,
  counters: readonly ScanCounter[],
): Promise<Correction[] | undefined> {
  const batchIds = await openBatchIds(db)
  const sinceBatchId = `bat_${(Date.now() - recentMs).toString(36).padStart(9, '0')}`
  const scans = await scansOfCodes(store, counters, { batchIds, sinceBatchId })
  const uniques = await uniqueScansOf(store, counters)
  const open = await openBatchIds(db)
  // Begun just now, by a machine whose clock is behind.
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
