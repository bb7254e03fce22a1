import { storeUrl } from './setting-values.ts'
import type { Setting } from './setting.ts'

/** The settings of the scan store. */
export type StoreConfig = { clickhouseUrl: string | undefined }

export const storeSettings: { [Key in keyof StoreConfig]: Setting<StoreConfig[Key], StoreConfig> } = {
  clickhouseUrl: {
    name: 'CLICKHOUSE_URL',
    isSecret: true,
    default: '(files in DATA_DIR)',
    meaning:
      'The scan store on a ClickHouse server: `http://user:password@host:8123/database`; on replicas, `http://user:password@host-1:8123,host-2:8123,host-3:8123/database`.',
    for: ['prepare', 'api', 'worker'],
    read: (text) => storeUrl(text),
  },
}
