import { clickHouseScans, type ClickHouseScans } from '../../analytics/clickhouse-scans.ts'
import type { ScanStore } from '../../analytics/scan-store.ts'
import { scansInFiles } from '../../analytics/scans-in-files.ts'
import { openClickHouse } from '../../analytics/store/open-clickhouse.ts'
import type { Config } from '../../settings/settings.ts'
import { engineSocket } from '../../processes/listening.ts'

/** Opens the scan store of the settings. */
export function openStore(config: Config): ScanStore {
  const { clickhouseUrl } = config
  return clickhouseUrl === undefined ? scansInFiles(engineSocket(config)) : openClickHouseStore(clickhouseUrl)
}

export function openClickHouseStore(url: string): ClickHouseScans {
  return clickHouseScans(openClickHouse({ url }))
}
