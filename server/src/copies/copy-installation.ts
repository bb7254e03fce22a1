import { dirname, join } from 'node:path'
import type { Config } from '../settings/settings.ts'
import { catalogueBytes } from '../db/catalogue-bytes.ts'
import { requireReadyCatalogue } from '../db/migrations/schema-state.ts'
import { waitForOthers } from '../db/feeds/journal-heads.ts'
import { journalHeads } from '../ingest/journal-heads.ts'
import type { Log } from '../log.ts'
import { dataDirProblem } from '../write-problem.ts'
import { readSecret, readVisitorKey } from '../processes/data-dir.ts'
import { readIdentity } from '../processes/identity-file.ts'
import { refuseMovedCatalogue } from '../processes/move-marker.ts'
import { checkCopyFile } from './copy-file-reader.ts'
import { makeCopy, type CopyOptions, type MadeCopy } from './make-copy.ts'
import { requireFreeSpace } from './room.ts'
import { withCopiedStore } from './stores/with-copied-store.ts'

export type CopyRequest = Omit<CopyOptions, 'others' | 'scansEstimate'> & {
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
  const { dataDir } = config
  if (readIdentity(dataDir) === undefined)
    throw new Error(
      dataDirProblem(dataDir) ??
        `DATA_DIR ${dataDir} holds no installation. Set DATA_DIR to that of the service, or start the service once: ./everscan start.`,
    )
  refuseMovedCatalogue(config)
  const secret = withoutSecret ? undefined : (config.secret ?? readSecret(dataDir))
  const visitorKey = passphrase === undefined ? undefined : (config.visitorKey ?? readVisitorKey(dataDir))
  return withCopiedStore(config, log, async (store, db) => {
    try {
      await requireReadyCatalogue(db)
      await store.requireOwn(db)
      const { bytes, rows } = await store.estimate()
      await requireFreeSpace(dirname(path), bytes + (await catalogueBytes(db)))
      const localHeads = await journalHeads(db, join(dataDir, 'journal'))
      const { behind, silent } = await waitForOthers(db, {
        ownWriters: localHeads.map(({ writer }) => writer),
        ...(signal !== undefined && { signal }),
      })
      const others = { missing: behind, silent }
      const made = await makeCopy(
        { config, store, secret, visitorKey, log },
        { ...request, others, scansEstimate: rows },
      )
      await checkCopyFile(path, { ...(signal !== undefined && { signal }) })
      return made
    } catch (error) {
      throw store.problemOf(error)
    }
  })
}
