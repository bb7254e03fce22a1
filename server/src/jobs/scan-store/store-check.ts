import { checkParts, type TroubledPart } from '../../analytics/store/part-health.ts'
import type { ClickHouse } from '../../analytics/store/clickhouse.ts'
import { recordFoundScans } from '../../catalogue/ledger/system-entries.ts'
import type { Database } from '../../db/database.ts'
import { addInstallationNote } from '../../db/installation.ts'
import { checkFigures } from '../../ingest/clickhouse/check-figures.ts'
import type { Log } from '../../log.ts'

/** Delay of the first check: a start is busy, but damage of an unclean stop is found soon. */
const firstMs = 10 * 60_000
const everyMs = 24 * 60 * 60_000
/** Time for reading parts each day. The next day continues with the rest. */
const partsMsMax = 10 * 60_000

/** The findings of the scan store checks since the start, for `/metrics` and `/readyz`. */
export type StoreCheck = {
  /** Total number of scans by which counters of codes were corrected, up or down. */
  readonly correctedScans: number
  /** Parts that could not be read in the last round through all parts. */
  readonly brokenParts: readonly TroubledPart[]
  /**
   * Runs the checks when they are due: ten minutes after the start, then once a day. Throws if
   * store or catalogue is unavailable.
   */
  run: (db: Database, nowMs: number) => Promise<void>
}

type Options = {
  store: ClickHouse
  /**
   * Whether catalogue and scan store were compared, which puts lost rows back. Figures are compared
   * only after that.
   */
  isCompared: () => boolean
  signal: AbortSignal
  log: Log
  /** A monotonic clock in milliseconds. */
  elapsedMs?: () => number
}

/**
 * Creates the daily check of what the comparison of catalogue and scan store does not cover:
 * figures, and whether parts can be read.
 */
export function createStoreCheck(options: Options): StoreCheck {
  const { isCompared, signal, log, elapsedMs = () => performance.now() } = options
  const found = { correctedScans: 0, broken: new Map<string, TroubledPart>() }
  let round = new Map<string, TroubledPart>()
  let place: string | undefined
  let atMs = elapsedMs() + firstMs

  async function checkAllParts(): Promise<void> {
    const { broken, done } = await checkParts(options.store, { budgetMs: partsMsMax, after: place, signal })
    for (const part of broken) {
      const key = `${part.table} ${part.part}`
      if (!found.broken.has(key))
        log.error(part, 'a part of the scan store cannot be read: figures of its scans are wrong or fail')
      round.set(key, part)
      found.broken.set(key, part)
    }
    place = done
    if (done !== undefined) return
    found.broken = round
    round = new Map()
  }

  async function checkAllFigures(db: Database, nowMs: number): Promise<void> {
    const recounted = await checkFigures(db, options.store, signal)
    if (recounted.length === 0) return
    const scans = recounted.reduce((sum, row) => sum + Math.abs(row.scans), 0)
    found.correctedScans += scans
    log.error(
      { scans, organizations: recounted.length },
      'counters of codes differed from the scan store, and were corrected',
    )
    await addInstallationNote(db, { kind: 'counters-corrected', detail: { scans } }, nowMs)
    await recordFoundScans(db, { recounted, putBack: [], lost: [] }, nowMs)
  }

  return {
    get correctedScans() {
      return found.correctedScans
    },
    get brokenParts() {
      return [...found.broken.values()]
    },
    async run(db, nowMs) {
      if (elapsedMs() < atMs || !isCompared()) return
      try {
        await checkAllFigures(db, nowMs)
        await checkAllParts()
      } catch (error) {
        if (signal.aborted) return
        throw error
      }
      // After a failure, the next call tries again.
      atMs = elapsedMs() + everyMs
    },
  }
}
