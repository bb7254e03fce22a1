import { clickHouseScans, type ClickHouseScans } from '../../analytics/clickhouse-scans.ts'
import type { ScanStore } from '../../analytics/scan-store.ts'
import { scansInFiles } from '../../analytics/scans-in-files.ts'
import { openClickHouse } from '../../analytics/store/open-clickhouse.ts'
import type { Config } from '../../settings/settings.ts'
import { storeKindOf } from '../../settings/store-kind.ts'
import { engineSocket } from '../../processes/listening.ts'

/** Opens the scan store of the settings. */
export function openStore(config: Config): ScanStore {
  return storeKindOf(config) === 'files' ? scansInFiles(engineSocket(config)) : openClickHouseStore(config)
}

/** The same, if it is not in files: embedded, or a ClickHouse server. */
export function openClickHouseStore(config: Config): ClickHouseScans {
  return clickHouseScans(
    config.clickhouseUrl === undefined
      ? openClickHouse({ socketPath: engineSocket(config) })
      : openClickHouse({ url: config.clickhouseUrl }),
  )
}
