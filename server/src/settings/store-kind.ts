import type { Config } from './config-types.ts'

/** The keeper of scans: chDB or files in DATA_DIR, or a ClickHouse server. */
export type StoreKind = 'embedded' | 'files' | 'server'

export function storeKindOf({
  clickhouseUrl,
  scanStore,
}: Pick<Config, 'clickhouseUrl' | 'scanStore'>): StoreKind {
  if (clickhouseUrl !== undefined) return 'server'
  return scanStore === 'files' ? 'files' : 'embedded'
}
