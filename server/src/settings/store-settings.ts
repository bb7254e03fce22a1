import { oneOf, storeUrl } from './setting-values.ts'
import type { Setting } from './setting.ts'

/** The settings of the scan store. */
export type StoreConfig = {
  /** The keeper of scans in DATA_DIR, without `clickhouseUrl`. */
  scanStore: 'chdb' | 'files'
  clickhouseUrl: string | undefined
}

export const storeSettings: { [Key in keyof StoreConfig]: Setting<StoreConfig[Key], StoreConfig> } = {
  scanStore: {
    name: 'SCAN_STORE',
    default: 'chdb',
    meaning:
      'What keeps scans in DATA_DIR without CLICKHOUSE_URL: `chdb`, or `files` of Parquet. `files` is new. An installation keeps the store that it began with, until a copy is restored with another one.',
    for: ['prepare', 'api', 'worker', 'engine'],
    read: (text) => oneOf(text, ['chdb', 'files']),
  },
  clickhouseUrl: {
    name: 'CLICKHOUSE_URL',
    isSecret: true,
    default: '(embedded)',
    meaning:
      'The scan store on a ClickHouse server: `http://user:password@host:8123/database`; on replicas, `http://user:password@host-1:8123,host-2:8123,host-3:8123/database`.',
    for: ['prepare', 'api', 'worker'],
    read: (text, { scanStore }) => {
      if (text !== undefined && scanStore === 'files')
        throw new Error('and SCAN_STORE=files exclude each other: remove one of them')
      return storeUrl(text)
    },
  },
}
