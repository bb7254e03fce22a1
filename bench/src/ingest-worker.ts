// The worker's ingest in a separate process, so that its time and memory can be measured: takes a
// journal into a scan store, reports the result, and ends.
import { openClickHouse } from '@everscan/server/analytics/store/open-clickhouse.ts'
import { openDatabase } from '@everscan/server/db/open-database.ts'
import { clickHouseIngester } from '@everscan/server/ingest/clickhouse/clickhouse-ingester.ts'
import { startIngest } from '@everscan/server/ingest/ingest.ts'
import { createLog } from '@everscan/server/log.ts'
import { setTimeout as sleep } from 'node:timers/promises'

export type IngestOrder = { journalRoot: string; dataDir: string; socketPath: string; scans: number }
export type IngestResult = { seconds: number; cpuSeconds: number; rssMbBefore: number; rssMbMax: number }

const sampleMs = 50

async function ingest({ journalRoot, dataDir, socketPath, scans }: IngestOrder): Promise<IngestResult> {
  const log = createLog({ level: 'warn', role: 'worker' })
  const db = await openDatabase({ databaseUrl: undefined, dataDir, role: 'writer', log })
  const store = openClickHouse({ socketPath })
  const fromMs = performance.now()
  const fromCpu = process.cpuUsage()
  const running = await startIngest({
    journalRoot,
    db,
    ingester: clickHouseIngester({ store }),
    config: { geoipCityV4: undefined, geoipCityV6: undefined, journalBytesMax: 2 ** 40 },
    log,
  })
  const rssMbBefore = rssMb()
  let rssMbMax = rssMbBefore
  while (running.stats.rows < scans) {
    rssMbMax = Math.max(rssMbMax, rssMb())
    if (running.stats.failing !== undefined) throw new Error(running.stats.failing.told.message)
    await sleep(sampleMs)
  }
  const seconds = (performance.now() - fromMs) / 1000
  const { user, system } = process.cpuUsage(fromCpu)
  await running.stop()
  await store.close()
  await db.close()
  return { seconds, cpuSeconds: (user + system) / 1e6, rssMbBefore, rssMbMax }
}

const rssMb = () => process.memoryUsage.rss() / 2 ** 20

process.once('message', (order: IngestOrder) => {
  ingest(order).then(
    (result) => process.send?.(result, () => process.disconnect()),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
