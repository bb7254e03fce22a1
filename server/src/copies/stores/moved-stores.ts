import type { CodeFigures } from '../../analytics/copies/code-figures.ts'
import { figuresOfCodes } from '../../analytics/copies/code-figures.ts'
import { movedClickHouse, type MovedSource } from '../../analytics/copies/moved-scans.ts'
import { lastSequences } from '../../analytics/copies/scan-fence.ts'
import { recoverDoubledRows } from '../../analytics/insert/doubled-rows.ts'
import type { ClickHouse } from '../../analytics/store/clickhouse.ts'
import { migrateScanStore } from '../../analytics/store/migrations.ts'
import type { Database } from '../../db/database.ts'
import type { CataloguePlace } from '../../db/dump/catalogue-snapshot.ts'
import { withCatalogueSnapshot } from '../../db/dump/dump-catalogue.ts'
import { openDatabase } from '../../db/open-database.ts'
import { readRetention } from '../../db/scans/scan-counters.ts'
import { FatalError } from '../../errors.ts'
import type { Config } from '../../settings/settings.ts'
import { fenceOf, readLedger } from '../copied-ledger.ts'
import { refuseEmbedded, withEmbeddedStore } from '../with-scan-store.ts'

/** The scans of a data directory that are moved to servers. */
export type MovedStore = {
  scans: MovedSource
  /** Yields the figures of every code that has hits, by the bytes of organization and code. */
  figures: () => AsyncIterable<readonly CodeFigures[]>
}

export type MovedPlace = { config: Config; source: CataloguePlace }

/**
 * Calls `work` with the scans in files that the catalogue has counted by now, whether or not the
 * service runs.
 */
export async function withMovedScans<Result>(
  { config: { dataDir }, source }: MovedPlace,
  work: (from: MovedStore) => Promise<Result>,
): Promise<Result> {
  refuseEmbedded(dataDir)
  const { segments } = await withCatalogueSnapshot(source, readLedger)
  // DuckDB is loaded only where it is used.
  const { withHeldFiles } = await import('./file-copies.ts')
  return await withHeldFiles({ dataDir }, segments, async (held) => {
    const rows = held.missing.reduce((sum, missing) => sum + missing.rows, 0)
    if (rows > 0)
      throw new FatalError(
        `files of scans are missing or damaged, with ${rows} hits: start the service, which looks for them elsewhere, and see ./everscan doctor. Nothing was moved.`,
      )
    return await work({ scans: held.moved(), figures: () => held.figures() })
  })
}

/**
 * The same with those in the embedded store of releases up to 0.2, while the data directory is
 * locked.
 */
export async function withEmbeddedScans<Result>(
  place: MovedPlace,
  work: (from: MovedStore) => Promise<Result>,
): Promise<Result> {
  return await withEmbeddedStore(place.config, async (from) => {
    // The last start may have been one of an earlier schema.
    await migrateScanStore(from)
    const retention = await readingSource(place, readRetention)
    // An interrupted worker may have set rows aside.
    await recoverDoubledRows(from, { sinceMs: 0, notBeforeMs: retention?.beforeMs ?? 0 })
    return await work(await countedIn(place, from))
  })
}

async function countedIn({ source }: MovedPlace, from: ClickHouse): Promise<MovedStore> {
  const storedBefore = await lastSequences(from)
  const fence = await withCatalogueSnapshot(source, async (snapshot) =>
    fenceOf(await readLedger(snapshot), storedBefore),
  )
  return { scans: await movedClickHouse(from, fence), figures: () => figuresOfCodes(from, { fence }) }
}

async function readingSource<Result>(
  { source }: MovedPlace,
  read: (db: Database) => Promise<Result>,
): Promise<Result> {
  const db = await openDatabase({ ...source, role: 'reader' })
  try {
    return await read(db)
  } finally {
    await db.close()
  }
}
