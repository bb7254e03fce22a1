import { rmSync } from 'node:fs'
import { lastSequences } from '../../src/analytics/copies/scan-fence.ts'
import { storedDays } from '../../src/analytics/insert/stored-scans.ts'
import type { ClickHouse } from '../../src/analytics/store/clickhouse.ts'
import { migrateScanStore } from '../../src/analytics/store/migrations.ts'
import { claimStore } from '../../src/analytics/store/store-identity.ts'
import { withEmbeddedStore } from '../../src/copies/with-scan-store.ts'
import { readInstallation, updateInstallation } from '../../src/db/installation.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { restoreCheckpoints } from '../../src/db/scans/ingest-checkpoints.ts'
import { setScanDays } from '../../src/db/scans/scan-days.ts'
import { forgetSegments } from '../../src/db/scans/scan-segments.ts'
import { recountAll } from '../../src/ingest/clickhouse/recount.ts'
import { createLog } from '../../src/log.ts'
import { readIdentity, writeIdentity } from '../../src/processes/identity-file.ts'
import { scanFilePlaces } from '../../src/settings/scan-file-places.ts'
import { upgradeStore } from './upgraded-service.ts'

const log = createLog({ level: 'silent', role: 'test' })

/**
 * Gives a stopped installation without scans many at once: `fill` makes them in the store that
 * earlier releases embedded, and `upgrade-store` makes files of them.
 */
export async function fillStore(
  env: Readonly<Record<string, string>> & { DATA_DIR: string },
  fill: (store: ClickHouse) => Promise<void>,
): Promise<void> {
  const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl } = env
  const db = await openDatabase({ databaseUrl, dataDir, role: 'writer', log })
  try {
    const { id: installation } = (await readInstallation(db)) ?? {}
    const identity = readIdentity(dataDir)
    if (installation === undefined || identity === undefined) throw new Error('the service never ran')
    const store = 'embedded:filled'
    await withEmbeddedStore({ dataDir, environment: process.env }, async (embedded) => {
      await migrateScanStore(embedded)
      await claimStore(embedded, { installation, store })
      await fill(embedded)
      const checkpoints = [...(await lastSequences(embedded))].map(([writer, sequence]) => ({
        writer,
        sequence,
        segment: 0,
        offset: 0,
      }))
      await restoreCheckpoints(db, checkpoints)
      await setScanDays(db, await storedDays(embedded, []))
      await recountAll(db, embedded, { signal: new AbortController().signal, codes: 'all' })
    })
    await forgetSegments(db)
    await updateInstallation(db, { scanStore: store })
    writeIdentity(dataDir, { ...identity, scanStore: store })
  } finally {
    await db.close()
  }
  const { folder, records } = scanFilePlaces({ dataDir })
  for (const path of [folder, records]) rmSync(path, { recursive: true, force: true })
  await upgradeStore(env)
  rmSync(`${dataDir}/scans`, { recursive: true })
}
