import { ClickHouseError } from '@clickhouse/client'
import { ofKnownVisitors } from './first-scans.ts'
import { ScanStoreUnavailable } from '../scan-store.ts'
import type { ClickHouse } from './clickhouse.ts'

/** Facts about a scan store for its operator. All functions here read and change nothing. */

/** Options of queries that run after incoming scans and figures. */
const last = { settings: { priority: '3' } }

export async function readStoreServer(store: ClickHouse): Promise<{ version: string; clockMs: number }> {
  const [row] = await store.select<{ version: string; clockMs: number }>(
    `/* analytics.readStoreServer */ select version() as version, toUnixTimestamp64Milli(now64(3)) as clockMs`,
    {},
    last,
  )
  return row as { version: string; clockMs: number }
}

/**
 * Reads a scan from its file. Returns undefined, or why it cannot be read: a word such as
 * FILE_DOESNT_EXIST, without the query and the paths of the store's message.
 */
export async function readScanProblem(store: ClickHouse): Promise<string | undefined> {
  try {
    await store.select(
      `/* analytics.readScanProblem */
       select sequence from scans limit 1`,
      {},
      last,
    )
    return undefined
  } catch (error) {
    const name = storeErrorName(error)
    if (name === undefined) throw error
    return name
  }
}

/** Returns the name of an error that the store reported; undefined if it did not answer. */
export function storeErrorName(error: unknown): string | undefined {
  const cause = error instanceof ScanStoreUnavailable ? error.cause : error
  return cause instanceof ClickHouseError ? (cause.type ?? `error ${cause.code}`) : undefined
}

/** A part that the store has set aside. Its rows are in no figure. */
export type DetachedPart = { table: string; name: string; reason: string; bytes: number }

/** Returns the parts that were set aside, except those whose rows are in other parts. */
export function readDetachedParts(store: ClickHouse): Promise<DetachedPart[]> {
  return store.select<DetachedPart>(
    `/* analytics.readDetachedParts */
     select table, name, coalesce(reason, '') as reason, bytes_on_disk as bytes
     from system.detached_parts
     where database = currentDatabase() and coalesce(reason, '') not in ('ignored', 'covered-by-broken', 'deleting')
     order by table, name`,
    {},
    last,
  )
}

export type TableParts = { table: string; partsMax: number; rows: number; bytes: number }

/**
 * Returns the number of parts in the fullest partition of each table, and the rows and bytes of the
 * table.
 */
export function readTableParts(store: ClickHouse): Promise<TableParts[]> {
  return store.select<TableParts>(
    `/* analytics.readTableParts */
     select table, max(parts) as partsMax, sum(rows) as rows, sum(bytes) as bytes
     from (
       select table, partition, count() as parts, sum(rows) as rows, sum(bytes_on_disk) as bytes
       from system.parts
       where database = currentDatabase() and active
       group by table, partition)
     group by table
     order by table`,
    {},
    last,
  )
}

/** A change of rows that runs in the background. */
export type OpenMutation = {
  table: string
  command: string
  partsLeft: number
  ageMs: number
  problem: string
}

export function readOpenMutations(store: ClickHouse): Promise<OpenMutation[]> {
  return store.select<OpenMutation>(
    `/* analytics.readOpenMutations */
     select table, command, parts_to_do as partsLeft,
       1000 * (toUnixTimestamp(now()) - toUnixTimestamp(create_time)) as ageMs, latest_fail_reason as problem
     from system.mutations
     where database = currentDatabase() and not is_done
     order by create_time`,
    {},
    last,
  )
}

export function readStoreDisks(
  store: ClickHouse,
): Promise<{ name: string; freeBytes: number; sizeBytes: number }[]> {
  return store.select(
    `/* analytics.readStoreDisks */
     select name, free_space as freeBytes, total_space as sizeBytes
     from system.disks
     where total_space > 0
     order by name`,
    {},
    last,
  )
}

/**
 * Returns the tables whose rows may be only in memory when an insert is answered. If a list of
 * selected codes is lost, the next request stores it again.
 */
export async function readUnsyncedTables(store: ClickHouse): Promise<string[]> {
  const rows = await store.select<{ name: string }>(
    `/* analytics.readUnsyncedTables */
     select name
     from system.tables
     where database = currentDatabase() and engine like '%MergeTree' and engine_full not like '%fsync_after_insert = 1%'
       and name != 'selected_codes'
     order by name`,
    {},
    last,
  )
  return rows.map(({ name }) => name)
}

type Code = { organizationId: string; qrCodeId: string }

/**
 * Returns those of the codes whose first scans are not the earliest of their scans, with the number
 * of visitors that differ.
 */
export function readFirstScanDifferences(
  store: ClickHouse,
  codes: readonly Code[],
): Promise<(Code & { visitors: number })[]> {
  const isOne = `(organization_id, qr_code_id) in (
    select pair.1, pair.2
    from (select arrayJoin(arrayZip({organizationIds:Array(String)}, {qrCodeIds:Array(String)})) as pair))`
  return store.select<Code & { visitors: number }>(
    `/* analytics.readFirstScanDifferences */
     select organizationId, qrCodeId, count() as visitors
     from (
       select organizationId, qrCodeId, visitor
       from (
         select organization_id as organizationId, qr_code_id as qrCodeId, visitor, min(time) as firstTime, 1 as side
         from scans
         where class = 'human' and ${ofKnownVisitors} and ${isOne}
         group by organization_id, qr_code_id, visitor
         union all
         select organization_id, qr_code_id, visitor, min(time), 2
         from first_scans
         where ${isOne}
         group by organization_id, qr_code_id, visitor)
       group by organizationId, qrCodeId, visitor
       having uniqExact(side) < 2 or min(firstTime) <> max(firstTime))
     group by organizationId, qrCodeId
     order by organizationId, qrCodeId`,
    {
      organizationIds: codes.map(({ organizationId }) => organizationId),
      qrCodeIds: codes.map(({ qrCodeId }) => qrCodeId),
    },
    last,
  )
}
