import { storeUrls } from '../../settings/store-urls.ts'
import { ClickHouseServers } from './clickhouse-servers.ts'
import { ClickHouseServer, type ClickHouse, type ClickHouseOptions } from './clickhouse.ts'
import type { StoreTopology } from './topology.ts'

/**
 * Opens the scan store at an address: one or several ClickHouse servers, or chDB. It
 * connects when it is first called. `topology` is how the store is made; by default, the embedded
 * engine is a single server, and others are asked.
 */
export function openClickHouse(options: ClickHouseOptions, topology?: StoreTopology): ClickHouse {
  if ('socketPath' in options && topology === undefined) return new ClickHouseServer(options)
  const { deadlineMs } = options
  const urls = 'url' in options ? storeUrls(options.url).map((url) => ({ url })) : [options]
  const servers = urls.map(
    (address) => new ClickHouseServer({ ...address, ...(deadlineMs !== undefined && { deadlineMs }) }),
  )
  return new ClickHouseServers(servers, topology)
}
