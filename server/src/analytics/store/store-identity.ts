import { FatalError } from '../../errors.ts'
import type { ClickHouse } from './clickhouse.ts'

/**
 * The store is empty although it was given scans. Most likely its volume is not mounted. This error
 * must not stop redirects.
 */
export class MissingStoreError extends FatalError {}

/** The id of a store, and the installation that it belongs to. */
export type StoreIdentity = { installation: string; store: string }

/**
 * Reads the claims on the store, the latest first, and whether it has scans, or at least their
 * table. Changes nothing.
 */
export async function readStoreIdentity(
  store: ClickHouse,
): Promise<{ identities: StoreIdentity[]; hasScans: boolean; hasTable: boolean }> {
  const tables = new Set(
    (
      await store.select<{ name: string }>(
        `/* analytics.readStoreIdentity */
         select name from system.tables where database = {database:String} and name in ('installation', 'scans')`,
        { database: store.database },
      )
    ).map(({ name }) => name),
  )
  const identities = tables.has('installation')
    ? await store.select<StoreIdentity>(
        `/* analytics.readStoreIdentity */
         select installation, store from ${store.database}.installation order by claimed_at desc`,
      )
    : []
  const [scans] = tables.has('scans')
    ? await store.select<{ found: number }>(
        `/* analytics.readStoreIdentity */ select 1 as found from ${store.database}.scans limit 1`,
      )
    : []
  return { identities, hasScans: scans !== undefined, hasTable: tables.has('scans') }
}

/** Records durably in the store which installation it belongs to. */
export async function claimStore(
  store: ClickHouse,
  { installation, store: id }: StoreIdentity,
): Promise<void> {
  await store.createDatabase()
  await store.command(
    `/* analytics.claimStore */
     create table if not exists installation (installation String, store String, claimed_at DateTime64(3) default now64())
     engine = MergeTree order by claimed_at
     settings fsync_after_insert = 1, fsync_part_directory = 1`,
  )
  await store.insert('installation', ['installation', 'store'], [Buffer.from(`${installation}\t${id}\n`)])
}
