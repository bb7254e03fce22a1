import { checkParts, type TroubledPart } from '../analytics/store/part-health.ts'
import type { ScanStore } from '../analytics/store/store.ts'
import { recordFoundScans } from '../catalogue/ledger/system-entries.ts'
import type { Database } from '../db/database.ts'
import { addInstallationNote } from '../db/installation.ts'
import { checkFigures } from '../ingest/check-figures.ts'
import type { Log } from '../log.ts'

/** After a start everybody wants something; what an unclean stop broke is found soon all the same. */
const firstMs = 10 * 60_000
const everyMs = 24 * 60 * 60_000
/** Of reading parts, a day: what is left is for the next one. */
const partsMsMax = 10 * 60_000

/** What checks of the scan store found since the start, for `/metrics` and `/readyz`. */
export type StoreCheck = {
  /** Scans by which counters of codes were corrected, whatever the sign. */
  readonly correctedScans: number
  /** Parts that cannot be read, of the last round through all of them. */
  readonly brokenParts: readonly TroubledPart[]
  /** Checks when it is time: ten minutes after the start, and once a day. Throws when store or catalogue is not available. */
  run: (db: Database, nowMs: number) => Promise<void>
}

type Options = {
  store: ScanStore
  /** Catalogue and scan store were compared: what is lost is put back before figures are compared with the rest. */
  isCompared: () => boolean
  signal: AbortSignal
  log: Log
  /** A clock that nobody sets. */
  elapsedMs?: () => number
}

/** Checks, beside everything else, what the comparison of catalogue and scan store does not look at: figures, and whether parts can be read. */
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
      'counters of codes were not what the scan store has: corrected',
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
      // What failed is tried again with the next call.
      atMs = elapsedMs() + everyMs
    },
  }
}
