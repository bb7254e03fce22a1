import { FatalError } from '../../errors.ts'
import type { ScanStore } from './store.ts'

/** The store is empty though scans were given to it: most likely its volume is not there. Redirects must not end with that. */
export class MissingStoreError extends FatalError {}

/** Which store this is, and whose. */
export type StoreIdentity = { installation: string; store: string }

/**
 * Reads who claimed the store, the last one first, and whether it has scans. `isForgotten`: it was claimed, and the part that said by
 * whom is lost. Changes nothing.
 */
export async function readStoreIdentity(
  store: ScanStore,
): Promise<{ identities: StoreIdentity[]; isForgotten: boolean; hasScans: boolean }> {
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
  const isForgotten = tables.has('installation') && identities.length === 0
  return { identities, isForgotten, hasScans: scans !== undefined }
}

/** Says in the store whose it is, durably. */
export async function claimStore(
  store: ScanStore,
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
