import { openScanStore } from '../../analytics/store/open-scan-store.ts'
import type { ScanStore } from '../../analytics/store/store.ts'
import type { Config } from '../../settings/settings.ts'
import { socketPath } from '../../processes/listening.ts'

/** Opens the scan store of the settings: the embedded one, or a ClickHouse server. */
export function openStore(config: Config): ScanStore {
  return config.clickhouseUrl === undefined
    ? openScanStore({ socketPath: socketPath(config.dataDir, 'engine') })
    : openScanStore({ url: config.clickhouseUrl })
}
