import { openClickHouse } from '../../analytics/store/open-clickhouse.ts'
import type { ClickHouse } from '../../analytics/store/clickhouse.ts'
import type { Config } from '../../settings/settings.ts'
import { socketPath } from '../../processes/listening.ts'

/** Opens the scan store of the settings: the embedded one, or a ClickHouse server. */
export function openStore(config: Config): ClickHouse {
  return config.clickhouseUrl === undefined
    ? openClickHouse({ socketPath: socketPath(config.dataDir, 'engine') })
    : openClickHouse({ url: config.clickhouseUrl })
}
