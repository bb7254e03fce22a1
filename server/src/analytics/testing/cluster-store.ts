import { randomUUID } from 'node:crypto'
import { openClickHouse } from '../store/open-clickhouse.ts'
import type { ClickHouse } from '../store/clickhouse.ts'
import { storeUrls } from '../../settings/store-urls.ts'
import { ClickHouseServer } from '../store/clickhouse.ts'

/** A new database on a cluster, and how to remove it. */
export type ClusterStore = { url: string; store: ClickHouse; remove: () => Promise<void> }

/**
 * Creates a database of the engine Replicated on every host of an address such as
 * `http://user:password@ch-1:8123,ch-2:8123,ch-3:8123/any`, for tests of a real cluster.
 */
export async function createClusterStore(address: string): Promise<ClusterStore> {
  const database = `everscan_test_${randomUUID().replaceAll('-', '')}`
  const path = `/clickhouse/databases/${database}`
  const onEach = async (sql: string): Promise<void> => {
    for (const host of storeUrls(address)) {
      const server = new ClickHouseServer({ url: inside(host, 'default') })
      await server.command(sql)
      await server.close()
    }
  }
  await onEach(`create database ${database} engine = Replicated('${path}', 'shard-1', '{replica}')`)
  const url = inside(address, database)
  const store = openClickHouse({ url })
  return {
    url,
    store,
    remove: async () => {
      await store.close()
      await onEach(`drop database if exists ${database} sync`)
    },
  }
}

/** The same address with another database. */
function inside(url: string, database: string): string {
  return url.replace(/\/[^/]*$/, `/${database}`)
}
