import type { Config } from './config-types.ts'

/** The keeper of scans: files in DATA_DIR, or a ClickHouse server. */
export type StoreKind = 'files' | 'server'

export function storeKindOf({ clickhouseUrl }: Pick<Config, 'clickhouseUrl'>): StoreKind {
  return clickhouseUrl === undefined ? 'files' : 'server'
}

/** Whether a store, by its id, is chDB in a data directory, where releases up to 0.2 kept scans. */
export function isEmbedded(storeId: string | null | undefined): boolean {
  return storeId?.startsWith('embedded:') === true
}
