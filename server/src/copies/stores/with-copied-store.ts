import type { Database } from '../../db/database.ts'
import { openDatabase } from '../../db/open-database.ts'
import type { Log } from '../../log.ts'
import type { Config } from '../../settings/settings.ts'
import { dataDirProblem } from '../../write-problem.ts'
import { refuseEmbedded, withClickHouse } from '../with-scan-store.ts'
import { copiedClickHouse } from './clickhouse-copies.ts'
import type { CopiedStore } from './copied-store.ts'

/**
 * Calls `work` with the scan store and the catalogue of an installation, whether or not its service
 * runs. Throws an Error that says what to do if one of them does not answer.
 */
export async function withCopiedStore<Result>(
  config: Config,
  log: Log,
  work: (store: CopiedStore, db: Database) => Promise<Result>,
): Promise<Result> {
  const { databaseUrl, dataDir } = config
  const withDatabase = async (call: (db: Database) => Promise<Result>): Promise<Result> => {
    const db = await openDatabase({ databaseUrl, dataDir, role: 'writer', log })
    try {
      return await call(db)
    } finally {
      await db.close()
    }
  }
  if (config.clickhouseUrl === undefined) {
    refuseEmbedded(dataDir)
    // Files that are copied get a second name in it.
    const unwritable = dataDirProblem(dataDir)
    if (unwritable !== undefined) throw new Error(unwritable)
    // DuckDB is loaded only where it is used.
    const { copiedFiles } = await import('./file-copies.ts')
    return await withDatabase((db) => work(copiedFiles(config, db), db))
  }
  return await withClickHouse(config.clickhouseUrl, (store) =>
    withDatabase((db) => work(copiedClickHouse(store, config, log), db)),
  )
}
