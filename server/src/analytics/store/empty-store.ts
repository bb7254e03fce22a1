import { readStoreIdentity } from './store-identity.ts'
import type { ClickHouse } from './clickhouse.ts'

const tables = [
  'first_scans_feed',
  'scans',
  'first_scans',
  'selected_codes',
  'schema_versions',
  'installation',
]

/** Removes everything from the store with this id. Leaves any other store alone. */
export async function emptyScanStore(store: ClickHouse, id: string): Promise<void> {
  const { identities } = await readStoreIdentity(store)
  if (!identities.some((one) => one.store === id)) return
  for (const table of tables)
    await store.command(`/* analytics.emptyScanStore */ drop table if exists ${table} sync`)
}
