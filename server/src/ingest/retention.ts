import { scanStoreReady } from '../analytics/store/migrations.ts'
import { deleteScansBefore, findFirstScans, hasScansBefore } from '../analytics/figures/old-scans.ts'
import type { ScanStore } from '../analytics/store/store.ts'
import type { Database } from '../db/database.ts'
import type { Log } from '../log.ts'
import { readRetention, saveRetention } from '../db/scans/scan-counters.ts'
import { dayOf, deleteScanDaysBefore } from '../db/scans/scan-days.ts'
import { recountAll } from './recount.ts'
import { batchesSettled } from './settled-batches.ts'

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
const triesMax = 50

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
    await recountAll(db, store, { signal })
    await deleteScanDaysBefore(db, dayOf(beforeMs))
  }
  await saveRetention(db, { beforeMs, isDone: true })
}

/** Again for what came in meanwhile: of its first scans some could be there without it. */
async function deleteAllBefore(store: ScanStore, beforeMs: number, signal: AbortSignal): Promise<void> {
  for (let tries = 0; tries < triesMax && (await hasScansBefore(store, beforeMs)); tries++)
    await deleteScansBefore(store, beforeMs, signal)
}
