import { dirname, join } from 'node:path'
import type { Config } from '../settings/settings.ts'
import { catalogueBytes } from '../db/catalogue-bytes.ts'
import { openDatabase } from '../db/open-database.ts'
import { requireReadyCatalogue } from '../db/migrations/schema-state.ts'
import { waitForOthers } from '../db/feeds/journal-heads.ts'
import { journalHeads } from '../ingest/journal-heads.ts'
import type { Log } from '../log.ts'
import { dataDirProblem } from '../write-problem.ts'
import { readSecret, readVisitorKey } from '../processes/data-dir.ts'
import { readIdentity } from '../processes/identity-file.ts'
import { refuseMovedCatalogue } from '../processes/move-marker.ts'
import { checkCopyFile } from './copy-file-reader.ts'
import { makeCopy, requireSpaceForCopy, type CopyOptions, type MadeCopy } from './make-copy.ts'
import { requireOwnStore, scanStoreProblem } from './own-store.ts'
import { withClickHouse } from './with-scan-store.ts'

export type CopyRequest = Omit<CopyOptions, 'others'> & {
  config: Config
  withoutSecret: boolean
  log: Log
}

/**
 * Copies the installation of the settings into a file, and reads the file back. Throws an Error
 * with a sentence if a part does not answer, a key is missing, or there is too little disk space;
 * then no file is left.
 */
export async function copyInstallation(request: CopyRequest): Promise<MadeCopy> {
  const { config, path, passphrase, withoutSecret, log, signal } = request
  const { dataDir, databaseUrl } = config
  if (readIdentity(dataDir) === undefined)
    throw new Error(
      dataDirProblem(dataDir) ??
        `DATA_DIR ${dataDir} holds no installation. Set DATA_DIR to that of the service, or start the service once: ./everscan start.`,
    )
  refuseMovedCatalogue(config)
  const secret = withoutSecret ? undefined : (config.secret ?? readSecret(dataDir))
  const visitorKey = passphrase === undefined ? undefined : (config.visitorKey ?? readVisitorKey(dataDir))
  return withClickHouse(config, async (store) => {
    const db = await openDatabase({ databaseUrl, dataDir, role: 'writer', log })
    try {
      await requireReadyCatalogue(db)
      await requireOwnStore(store, db, config)
      await requireSpaceForCopy(dirname(path), { store, catalogueBytes: await catalogueBytes(db) })
      const localHeads = await journalHeads(db, join(dataDir, 'journal'))
      const { behind, silent } = await waitForOthers(db, {
        ownWriters: localHeads.map(({ writer }) => writer),
        ...(signal !== undefined && { signal }),
      })
      const others = { missing: behind, silent }
      const made = await makeCopy({ config, store, secret, visitorKey, log }, { ...request, others })
      await checkCopyFile(path, { ...(signal !== undefined && { signal }) })
      return made
    } catch (error) {
      throw scanStoreProblem(error, config)
    } finally {
      await db.close()
    }
  })
}
