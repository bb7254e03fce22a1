import { clickHouseScans, type ClickHouseScans } from '../../analytics/clickhouse-scans.ts'
import { openClickHouse } from '../../analytics/store/open-clickhouse.ts'
import type { Config } from '../../settings/settings.ts'
import { socketPath } from '../../processes/listening.ts'

/** Opens the scan store of the settings: the embedded one, or a ClickHouse server. */
export function openStore(config: Config): ClickHouseScans {
  return clickHouseScans(
    config.clickhouseUrl === undefined
      ? openClickHouse({ socketPath: socketPath(config.dataDir, 'engine') })
      : openClickHouse({ url: config.clickhouseUrl }),
  )
}
