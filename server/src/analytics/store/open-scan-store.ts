import { storeUrls } from '../../settings/store-urls.ts'
import { ServerStore } from './server-store.ts'
import { ClickHouseStore, type ScanStore, type ScanStoreOptions } from './store.ts'
import type { StoreTopology } from './topology.ts'

/**
 * Opens the scan store at an address: the embedded engine, or one or several ClickHouse servers. It
 * connects when it is first called. `topology` is how the store is made; by default, the embedded
 * engine is a single server, and others are asked.
 */
export function openScanStore(options: ScanStoreOptions, topology?: StoreTopology): ScanStore {
  if ('socketPath' in options && topology === undefined) return new ClickHouseStore(options)
  const { deadlineMs } = options
  const urls = 'url' in options ? storeUrls(options.url).map((url) => ({ url })) : [options]
  const servers = urls.map(
    (address) => new ClickHouseStore({ ...address, ...(deadlineMs !== undefined && { deadlineMs }) }),
  )
  return new ServerStore(servers, topology)
}
