import { firstScansOf } from '../store/first-scans.ts'
import type { ClickHouse } from '../store/clickhouse.ts'
import { stretchesOfDays, type HitsOfDay } from './stretches-of-days.ts'

const deadlineMs = 10 * 60_000

/** The number of rows of one organization. */
export type OrganizationRows = { organizationId: string; scans: number }

/** Runs before rows of the store change, with their numbers; not if none do. */
export type BeforeChange = (rows: readonly OrganizationRows[]) => Promise<void>

/**
 * Kept rows on their way back into the store, some batches at a time, in a separate table that no
 * other code reads.
 */
export type Staging = {
  /** Adds rows in ClickHouse's Native format, as they were inserted. */
  add: (rows: Buffer) => Promise<void>
  /**
   * Inserts the rows that the store lacks and that are not older than `notBeforeMs`. Their numbers
   * by organization are passed on before. Repeating the call inserts none.
   */
  putBack: (notBeforeMs: number, before?: BeforeChange) => Promise<void>
  drop: () => Promise<void>
}

const prefix = 'kept_rows_'
/** Far longer than any process takes to put rows back. */
const abandonedMsDefault = 86_400_000

/**
 * Creates an empty staging table and drops those of killed processes. No other process may use the
 * same `name`.
 */
export async function createStaging(
  store: ClickHouse,
  name: string,
  { abandonedMs = abandonedMsDefault } = {},
): Promise<Staging> {
  const table = `${prefix}${name.replaceAll(/\W/g, '')}`
  const run = (sql: string) => store.command(`/* analytics.putBack */ ${sql}`, {}, { deadlineMs })
  for (const abandoned of await tablesOlderThan(store, prefix, abandonedMs))
    await run(`drop table if exists ${abandoned} sync`)
  await run(`drop table if exists ${table} sync`)
  await run(`create table ${table} engine = MergeTree order by tuple() as select * from scans limit 0`)
  const columns = await columnsOf(store, table)
  return {
    add: (rows) => store.insert(table, columns, [rows], { format: 'Native', deadlineMs }),
    putBack: async (notBeforeMs, before) => {
      await insertMissing(store, table, { notBeforeMs, ...(before !== undefined && { before }) })
      await run(`truncate table ${table}`)
    },
    drop: () => run(`drop table if exists ${table} sync`),
  }
}

/** Returns the names of tables that start with a prefix and were created at least `ageMs` ago. */
export async function tablesOlderThan(store: ClickHouse, begin: string, ageMs: number): Promise<string[]> {
  const tables = await store.select<{ name: string }>(
    `/* analytics.tablesOlderThan */
     select name
     from system.tables
     where database = currentDatabase()
       and startsWith(name, {prefix:String})
       and metadata_modification_time <= now() - {seconds:UInt32}`,
    { prefix: begin, seconds: Math.floor(ageMs / 1000) },
  )
  return tables.map(({ name }) => name)
}

/**
 * Inserts the scans of a table whose names (writer and sequence) the store does not have and that
 * are not older than `notBeforeMs`. Repeating the call inserts none.
 */
export async function insertMissing(
  store: ClickHouse,
  table: string,
  { notBeforeMs, before = async () => {} }: { notBeforeMs: number; before?: BeforeChange },
): Promise<void> {
  const missing = `
    from ${table}
    where time >= fromUnixTimestamp64Milli({notBeforeMs:Int64})
    and (writer, sequence) not in (
      select writer, sequence
      from scans
      where writer in (select distinct writer from ${table})
      and time >= (select min(time) from ${table})
      and time <= (select max(time) from ${table}))
    limit 1 by writer, sequence`
  const rows = await store.select<OrganizationRows>(
    `/* analytics.insertMissing */
     select toString(organization_id) as organizationId, count() as scans
     from (select organization_id, writer, sequence ${missing})
     group by organizationId`,
    { notBeforeMs },
    { deadlineMs },
  )
  if (rows.length === 0) return
  await before(rows)
  const columns = (await columnsOf(store, table)).join(', ')
  await store.command(
    `/* analytics.insertMissing */ insert into scans (${columns}) select ${columns} ${missing}`,
    { notBeforeMs },
    {
      deadlineMs,
      // One fixed id: while another such insert runs anywhere, the store refuses this one, which
      // would insert the same rows.
      queryId: 'everscan-put-back',
      // The same rows may be lost and put back a second time.
      settings: { insert_deduplicate: 0 },
    },
  )
}

/** Returns the columns for inserts into a table, in their order. */
export async function columnsOf(store: ClickHouse, table: string): Promise<string[]> {
  const rows = await store.select<{ name: string }>(
    `/* analytics.columnsOf */
     select name
     from system.columns
     where database = currentDatabase() and table = {table:String}
     order by position`,
    { table },
  )
  return rows.map(({ name }) => name)
}

/**
 * Derives the first scans of a writer on some days again, some days at a time: the store groups
 * visitors in memory. Repeating the call has no effect.
 */
export async function refeedFirstScansOfDays(
  store: ClickHouse,
  writer: string,
  days: readonly HitsOfDay[],
  scansPerStretch?: number,
): Promise<void> {
  for (const { days: some, ofVisitors } of stretchesOfDays(days, scansPerStretch))
    await store.command(
      `/* analytics.refeedFirstScansOfDays */ insert into first_scans ${firstScansOf(
        `and writer = {writer:String} and ${isOfDays} and ${ofVisitors}`,
      )}`,
      { writer, days: some.map(String) },
      { deadlineMs },
    )
}

/**
 * Deletes first scans of some days whose scans no longer exist, some days at a time. Visitors who
 * have scanned since then have no first scan until `findFirstScans` runs.
 */
export async function deleteLostFirstScans(
  store: ClickHouse,
  days: readonly number[],
  scansPerStretch?: number,
): Promise<void> {
  const stretches = stretchesOfDays(await firstScansByDay(store, days), scansPerStretch)
  for (const { days: some, ofVisitors } of stretches) await deleteLost(store, some, ofVisitors)
}

async function firstScansByDay(store: ClickHouse, days: readonly number[]): Promise<HitsOfDay[]> {
  return store.select<HitsOfDay>(
    `/* analytics.firstScansByDay */
     select intDiv(toUnixTimestamp(time), 86400) as day, count() as hits
     from first_scans
     where ${isOfDays}
     group by day`,
    { days: days.map(String) },
    { deadlineMs },
  )
}

async function deleteLost(store: ClickHouse, days: readonly number[], ofVisitors: string): Promise<void> {
  const ofDays = `intDiv(toUnixTimestamp(time), 86400) in (${days.map(Number).join(', ')}) and ${ofVisitors}`
  const areLost = `${ofDays}
     and (organization_id, qr_code_id, visitor, place) not in (
       select organization_id, qr_code_id, visitor, place
       from (${firstScansOf(`and ${ofDays}`)}))`
  const options = { deadlineMs, settings: { lightweight_deletes_sync: '2' } }
  if ((await store.replicas()) === undefined)
    return await store.command(
      `/* analytics.deleteLostFirstScans */ delete from first_scans where ${areLost}`,
      {},
      options,
    )
  // Each replica runs a deletion on its own, so it may not ask other tables.
  const lost = await store.select<{ place: string }>(
    `/* analytics.deleteLostFirstScans */ select distinct toString(place) as place from first_scans where ${areLost}`,
    {},
    { deadlineMs },
  )
  for (let start = 0; start < lost.length; start += literalsMax) {
    const places = lost.slice(start, start + literalsMax).map(({ place }) => `toUInt256('${place}')`)
    await store.command(
      `/* analytics.deleteLostFirstScans */
       delete from first_scans where ${ofDays} and place in (${places.join(', ')})`,
      {},
      options,
    )
  }
}

/**
 * Values in one deletion on a replicated store. Keeper keeps the statement, and takes at most 1 MB.
 */
export const literalsMax = 5_000

/** Condition on a scan. `days` are counted since 1970 (UTC) and passed as texts. */
export const isOfDays = `intDiv(toUnixTimestamp(time), 86400) in (select toUInt32(arrayJoin({days:Array(String)})))`

/** The same without a subquery, as a deletion on a replicated store needs it. */
export const isOneOfDays = `has({days:Array(String)}, toString(intDiv(toUnixTimestamp(time), 86400)))`
