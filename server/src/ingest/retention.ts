import type { Database } from '../db/database.ts'
import type { Log } from '../log.ts'
import { readRetention, saveRetention, type Retention } from '../db/scans/scan-counters.ts'
import { dayOf, deleteScanDaysBefore } from '../db/scans/scan-days.ts'

/** The scans of a store, as the retention deletes them. */
export type RetainedScans = {
  /** The time before which the store itself deletes scans; an older catalogue does not know it. */
  deletedBeforeMs: () => number | undefined
  /** Lets the store know the time before which scans are deleted, before the first one is. */
  setDeletedBefore: (beforeMs: number) => Promise<void>
  /** Whether the store can do what follows. */
  isReady: () => Promise<boolean>
  hasScansBefore: (beforeMs: number) => Promise<boolean>
  /**
   * Deletes scans from every figure, and updates first scans and the counters of codes to the
   * remaining ones. `mayDelete` is false if only what is cut off is to be completed. Can be
   * repeated after each error. Returns false if the next run must do it.
   */
  deleteBefore: (beforeMs: number, options: { mayDelete: boolean }) => Promise<boolean>
}

export type RetentionOptions = {
  /**
   * Undefined keeps scans for ever. A deletion that an earlier run left unfinished is then
   * completed, without deleting more.
   */
  retentionDays: number | undefined
  /** After an abort, the next run completes the rest. */
  signal: AbortSignal
  /** If absent, deletes all older scans immediately. */
  grace?: RetentionGrace
}

/** Delays a deletion that covers more than the days since the last one. */
export type RetentionGrace = {
  holds: (beforeMs: number) => boolean
  /** Ends the delay, because no such deletion is due: the next one waits again. */
  release: () => void
}

const dayMs = 86_400_000

const graceMsDefault = 12 * 60 * 60 * 1000
/** The usual step of the boundary between deletions, and one more day. */
const stepMs = 2 * dayMs

/**
 * Deletions are permanent. A deletion beyond the last days waits for 12 hours and logs a warning:
 * RETENTION_DAYS may be mistyped, or the machine's clock may be years ahead. If the deletion is
 * intended, or the service was stopped for a week, scans remain half a day longer.
 */
export function createRetentionGrace({
  log,
  graceMs = graceMsDefault,
  elapsedMs = () => performance.now(),
}: {
  log: Log
  graceMs?: number
  /** A monotonic clock. */
  elapsedMs?: () => number
}): RetentionGrace {
  let held: { beforeMs: number; sinceMs: number } | undefined
  return {
    holds(beforeMs) {
      if (held === undefined || Math.abs(beforeMs - held.beforeMs) >= stepMs) {
        held = { beforeMs, sinceMs: elapsedMs() }
        log.warn(
          { before: new Date(beforeMs).toISOString(), inHours: Math.round(graceMs / 3_600_000) },
          'many scans are about to be deleted: check RETENTION_DAYS and the clock of this machine',
        )
      }
      return elapsedMs() - held.sinceMs < graceMs
    },
    release() {
      held = undefined
    },
  }
}

/**
 * Returns the boundary of deletion: a midnight (UTC), so that a scan remains for its days and at
 * most one more.
 */
export function retentionBoundary(retentionDays: number, nowMs: number): number {
  return (Math.floor(nowMs / dayMs) - retentionDays) * dayMs
}

/**
 * Deletes scans older than the retention from every figure: updates first scans and the counters of
 * codes to the remaining scans. Runs once a day. Every step can be repeated, so after a crash it
 * starts over. Old scans that arrive later are deleted the next day.
 */
export async function deleteOldScansOf(
  db: Database,
  nowMs: number,
  { scans, ...options }: RetentionOptions & { scans: RetainedScans },
): Promise<void> {
  try {
    await run(db, nowMs, { scans, ...options })
  } catch (error) {
    if (!options.signal.aborted) throw error
  }
}

async function run(
  db: Database,
  nowMs: number,
  { scans, retentionDays, grace }: RetentionOptions & { scans: RetainedScans },
): Promise<void> {
  const last = lastOf(await readRetention(db), scans.deletedBeforeMs())
  let beforeMs = retentionDays === undefined ? last?.beforeMs : retentionBoundary(retentionDays, nowMs)
  if (beforeMs === undefined) return
  const isStep = last !== undefined && beforeMs - last.beforeMs < stepMs
  if (isStep) grace?.release()
  if (last?.beforeMs === beforeMs && last.isDone) return
  if (!(await scans.isReady())) return
  if (!isStep && (await scans.hasScansBefore(beforeMs)) && grace?.holds(beforeMs) === true) {
    // A deletion that has begun is completed anyway.
    if (last === undefined || last.isDone) return
    ;({ beforeMs } = last)
  }
  await scans.setDeletedBefore(beforeMs)
  const isCutOff = last !== undefined && !last.isDone
  if (isCutOff || (await scans.hasScansBefore(beforeMs))) {
    await saveRetention(db, { beforeMs, isDone: false })
    if (!(await scans.deleteBefore(beforeMs, { mayDelete: retentionDays !== undefined }))) return
    await deleteScanDaysBefore(db, dayOf(beforeMs))
  }
  await saveRetention(db, { beforeMs, isDone: true })
}

/** Beside an older catalogue, what the store has begun to delete is completed. */
function lastOf(saved: Retention | undefined, deletedBeforeMs: number | undefined): Retention | undefined {
  if (deletedBeforeMs === undefined || deletedBeforeMs <= (saved?.beforeMs ?? 0)) return saved
  return { beforeMs: deletedBeforeMs, isDone: false }
}
