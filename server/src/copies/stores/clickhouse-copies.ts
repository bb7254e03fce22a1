import { CopiedDays } from '../../analytics/copies/copied-days.ts'
import { figuresOfCodes } from '../../analytics/copies/code-figures.ts'
import { copyScans, estimateScans, insertCopiedScans } from '../../analytics/copies/scan-copies.ts'
import { lastSequences } from '../../analytics/copies/scan-fence.ts'
import { storedDays } from '../../analytics/insert/stored-scans.ts'
import type { ClickHouse } from '../../analytics/store/clickhouse.ts'
import { migrateScanStore } from '../../analytics/store/migrations.ts'
import { claimStore } from '../../analytics/store/store-identity.ts'
import { forgetSegments } from '../../db/scans/scan-segments.ts'
import { recountAll } from '../../ingest/clickhouse/recount.ts'
import type { Log } from '../../log.ts'
import type { Config } from '../../settings/settings.ts'
import { refuseDeletedMeanwhile } from '../copied-ledger.ts'
import { entryNames, pieceName, type CopyMeta } from '../manifest.ts'
import type { CopiedStore, CountedScans, RestoredStore } from './copied-store.ts'
import { requireOwnStore, scanStoreProblem } from './own-store.ts'

type Place = Pick<Config, 'databaseUrl' | 'dataDir'>

/** Returns the scans in ClickHouse, for copies. */
export function copiedClickHouse(store: ClickHouse, config: Place, log: Log): CopiedStore {
  return {
    scansIn: undefined,
    estimate: async () => {
      const { storedBytes, rows } = await estimateScans(store)
      return { bytes: storedBytes, rows }
    },
    requireOwn: (db) => requireOwnStore(store, db),
    problemOf: (error) => scanStoreProblem(error),
    storedBefore: () => store.caughtUp(() => lastSequences(store)),
    read: async ({ ledger, fence }, work) => {
      // Counted in what was copied, and not by another query: the copy is what matters.
      const copied = new CopiedDays()
      const scans: CountedScans = {
        pieces: async function* pieces() {
          let piece = 0
          for await (const { rows, native } of copyScans(store, fence)) {
            copied.add(native)
            yield { name: pieceName(entryNames.scans, ++piece, 'native'), bytes: native, rows }
          }
        },
        days: async () => copied.rows(),
        figures: () => figuresOfCodes(store, { fence }),
      }
      const result = await store.caughtUp(() => work(scans))
      await refuseDeletedMeanwhile({ ...config, log }, ledger)
      return result
    },
  }
}

/** Returns an empty ClickHouse, for a copy that is restored, wherever its scans are from. */
export async function clickHouseFor(
  { scansIn }: Pick<CopyMeta, 'scansIn'>,
  store: ClickHouse,
  { dataDir }: { dataDir: string },
): Promise<RestoredStore> {
  const restored = restoredClickHouse(store)
  if (scansIn !== 'files') return restored
  // DuckDB is loaded only where it is used.
  const { takingFiles } = await import('./taking-files.ts')
  return takingFiles(store, restored, dataDir)
}

/** The same for copies from ClickHouse. */
export function restoredClickHouse(store: ClickHouse): RestoredStore {
  return {
    kind: 'server',
    begin: async (identity) => {
      await migrateScanStore(store)
      await claimStore(store, identity)
    },
    takes: (name) => name.startsWith(entryNames.scans),
    add: ({ bytes }) => insertCopiedScans(store, { native: bytes }),
    end: () => storedDays(store, []),
    settle: async (db, signal) => {
      await forgetSegments(db)
      // Includes codes without counted scans: the restore also corrects a catalogue with wrong
      // counters.
      await recountAll(db, store, { signal, codes: 'all' })
    },
    figures: () => figuresOfCodes(store),
  }
}
