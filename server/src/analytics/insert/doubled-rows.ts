import { setTimeout as sleep } from 'node:timers/promises'
import {
  columnsOf,
  insertMissing,
  isOfDays,
  isOneOfDays,
  literalsMax,
  tablesOlderThan,
  type BeforeChange,
  type OrganizationRows,
} from './put-back.ts'
import { ScanStoreUnavailable } from '../scan-store.ts'
import type { ClickHouse } from '../store/clickhouse.ts'

const deadlineMs = 10 * 60_000
/** Beyond this size, grouping the sequences of a busy day uses the disk. */
const last = { priority: '3', max_bytes_before_external_group_by: String(256 * 1024 ** 2) }
const prefix = 'doubled_rows_'

/** Days (since 1970, UTC) of a writer, without batches that may still be arriving. */
export type DoubledStretch = {
  writer: string
  days: readonly number[]
  exceptBatchIds: readonly string[]
}

/**
 * Leaves one of the rows that the store has more than once under one (writer, sequence), for
 * example after a detached part was attached whose rows had been put back. Returns the number of
 * surplus rows by organization, and passes it on before. `name` must be unique to this call.
 * `notBeforeMs` is the start of the retention.
 *
 * The rows of a name cannot be told apart. One row of each is set aside in a durable table, all of
 * them are deleted, and the rows that were set aside are inserted again. After any interruption,
 * `recoverDoubledRows` inserts them. First scans are minima and do not change.
 */
export async function removeDoubledRows(
  store: ClickHouse,
  { writer, days, exceptBatchIds }: DoubledStretch,
  {
    name,
    notBeforeMs,
    before = async () => {},
  }: { name: string; notBeforeMs: number; before?: BeforeChange },
): Promise<OrganizationRows[]> {
  const table = `${prefix}${name.replaceAll(/\W/g, '')}`
  const params = { writer, days: days.map(String), exceptBatchIds }
  // Without a subquery, because replicas run deletions, each on its own.
  const isOfStretchDays = (await store.replicas()) === undefined ? isOfDays : isOneOfDays
  const ofStretch = `writer = {writer:String} and ${isOfStretchDays} and batch_id not in {exceptBatchIds:Array(String)}`
  const run = (sql: string, settings = {}) =>
    store.command(`/* analytics.removeDoubledRows */ ${sql}`, params, { deadlineMs, settings })
  await run(
    `create table ${table} engine = MergeTree order by sequence
     settings fsync_after_insert = 1, fsync_part_directory = 1
     as select * from scans limit 0`,
  )
  const columns = (await columnsOf(store, table)).join(', ')
  await run(
    `insert into ${table} (${columns})
     select ${columns}
     from scans
     where ${ofStretch} and sequence in (
       select sequence from scans where ${ofStretch} group by sequence having count() > 1)
     limit 1 by sequence`,
    { ...last, insert_deduplicate: 0 },
  )
  const doubled = await store.select<OrganizationRows>(
    `/* analytics.removeDoubledRows */
     select toString(organization_id) as organizationId, count() - uniqExact(sequence) as scans
     from scans
     where ${ofStretch} and sequence in (select sequence from ${table})
     group by organizationId`,
    params,
    { deadlineMs, settings: last },
  )
  if (doubled.length > 0) {
    await before(doubled)
    for (const sequences of await sequenceLists(store, table))
      await run(`delete from scans where ${ofStretch} and sequence in (${sequences})`, {
        lightweight_deletes_sync: '2',
      })
    await insertMissing(store, table, { notBeforeMs })
  }
  await run(`drop table ${table} sync`)
  return doubled
}

/**
 * Returns the sequences of a table, as a deletion names them: in one subquery, or on a replicated
 * store in lists, because each replica runs a deletion on its own.
 */
async function sequenceLists(store: ClickHouse, table: string): Promise<string[]> {
  if ((await store.replicas()) === undefined) return [`select sequence from ${table}`]
  const rows = await store.select<{ sequence: string }>(
    `/* analytics.removeDoubledRows */ select toString(sequence) as sequence from ${table} order by ${table}.sequence`,
    {},
    { deadlineMs },
  )
  return Array.from({ length: Math.ceil(rows.length / literalsMax) }, (_, index) =>
    rows
      .slice(index * literalsMax, (index + 1) * literalsMax)
      .map(({ sequence }) => sequence)
      .join(', '),
  )
}

/**
 * Inserts the rows that interrupted calls of `removeDoubledRows` set aside at least `sinceMs` ago.
 * Repeating the call has no effect.
 */
export async function recoverDoubledRows(
  store: ClickHouse,
  { sinceMs, notBeforeMs }: { sinceMs: number; notBeforeMs: number },
): Promise<void> {
  const tables = await tablesOlderThan(store, prefix, sinceMs)
  if (tables.length === 0) return
  // A deletion that still runs would delete rows that `insertMissing` finds in the store.
  await mutationsDone(store)
  for (const name of tables) {
    await insertMissing(store, name, { notBeforeMs })
    await store.command(`/* analytics.recoverDoubledRows */ drop table if exists ${name} sync`)
  }
}

async function mutationsDone(store: ClickHouse): Promise<void> {
  for (const endMs = Date.now() + deadlineMs; ; await sleep(100)) {
    const [row] = await store.select<{ open: number }>(
      `/* analytics.openMutations */
       select count() as open
       from system.mutations
       where database = currentDatabase() and table = 'scans' and not is_done`,
    )
    if ((row?.open ?? 0) === 0) return
    if (Date.now() > endMs) throw new ScanStoreUnavailable(new Error('a deletion of scans does not end'))
  }
}
