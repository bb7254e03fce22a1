import { openClickHouse } from '../../analytics/store/open-clickhouse.ts'
import { engineSocket } from '../../processes/listening.ts'
import type { Config } from '../../settings/settings.ts'
import type { CopyMeta } from '../manifest.ts'
import { withEngine } from '../with-scan-store.ts'
import { clickHouseFor } from './clickhouse-copies.ts'
import type { RestoredStore } from './copied-store.ts'

/**
 * Calls `work` with the empty scan store of a data directory that no service uses, for a copy.
 */
export async function withOwnStore<Result>(
  { dataDir, environment, scanStore }: Pick<Config, 'dataDir' | 'environment' | 'scanStore'>,
  meta: Pick<CopyMeta, 'scansIn'>,
  work: (store: RestoredStore) => Promise<Result>,
): Promise<Result> {
  if (scanStore === 'files') {
    // DuckDB is loaded only where it is used.
    const { withRestoredFiles } = await import('./file-copies.ts')
    return await withRestoredFiles({ dataDir }, work)
  }
  const embedded = openClickHouse({ socketPath: engineSocket({ dataDir }) })
  try {
    const store = await clickHouseFor(meta, embedded, { kind: 'embedded', dataDir })
    return await withEngine({ dataDir, environment }, () => work(store))
  } finally {
    await embedded.close()
  }
}
