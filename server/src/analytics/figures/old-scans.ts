import { setTimeout as sleep } from 'node:timers/promises'
import { ofKnownVisitors, placeOfScan } from '../store/first-scans.ts'
import type { ClickHouse } from '../store/clickhouse.ts'

/** Settings of queries that run after incoming scans and figures. */
const last = { priority: '3' }
const mutationMsMax = 30 * 60_000

/** Whether the store has scans or first scans from before an instant. */
export async function hasScansBefore(store: ClickHouse, beforeMs: number): Promise<boolean> {
  const rows = await store.select<{ found: 0 | 1 }>(
    `/* analytics.hasScansBefore */
     select min(time) < fromUnixTimestamp64Milli({beforeMs:Int64}) as found from scans having count() > 0
     union all
     select 1 from (select time from first_scans where time < fromUnixTimestamp64Milli({beforeMs:Int64}) limit 1)`,
    { beforeMs },
    { settings: last },
  )
  return rows.some(({ found }) => found === 1)
}

/**
 * Deletes all scans and first scans from before an instant. Visitors who have scanned since then
 * have no first scan until `findFirstScans` runs. Can be interrupted anywhere, for example by
 * `signal`, and repeated. Whole months are dropped at once. The store rewrites the rest in the
 * background, so only the caller waits for it.
 */
export async function deleteScansBefore(
  store: ClickHouse,
  beforeMs: number,
  signal: AbortSignal,
): Promise<void> {
  const isBefore = `time < fromUnixTimestamp64Milli(toInt64(${beforeMs}))`
  // First scans are deleted first, so that figures never have more unique scans than scans.
  await mutate(store, { table: 'first_scans', command: `delete where ${isBefore}`, signal })
  for (const month of await monthsBefore(store, beforeMs))
    await store.command(`/* analytics.deleteScansBefore */ alter table scans drop partition ${month}`)
  await mutate(store, { table: 'scans', command: `delete where ${isBefore}`, signal })
}

/** Returns the months that end before an instant, as the table is partitioned, such as 202603. */
async function monthsBefore(store: ClickHouse, beforeMs: number): Promise<number[]> {
  const rows = await store.select<{ month: number }>(
    `/* analytics.monthsBefore */
     select distinct toUInt32(partition) as month
     from system.parts
     where database = currentDatabase()
       and table = 'scans'
       and active
       and month < toYYYYMM(fromUnixTimestamp64Milli({beforeMs:Int64}, 'UTC'))
     order by month`,
    { beforeMs },
    { settings: last },
  )
  return rows.map(({ month }) => month)
}

/**
 * Starts a mutation once no other runs, and polls until it is done. Waiting inside the store would
 * hold up other queries. A repeated call first waits for what an earlier one started: otherwise a
 * slow store would get the same mutation once more with each try.
 */
async function mutate(
  store: ClickHouse,
  { table, command, signal }: { table: string; command: string; signal: AbortSignal },
): Promise<void> {
  await mutationsDone(store, table, signal)
  await store.command(
    `/* analytics.deleteScansBefore */ alter table ${table} ${command} settings mutations_sync = 0`,
  )
  await mutationsDone(store, table, signal)
}

async function mutationsDone(store: ClickHouse, table: string, signal: AbortSignal): Promise<void> {
  for (const endMs = Date.now() + mutationMsMax; ; await sleep(50, undefined, { signal })) {
    const [row] = await store.select<{ open: number; problem: string }>(
      `/* analytics.openMutations */
       select count() as open, any(latest_fail_reason) as problem
       from system.mutations
       where database = currentDatabase() and table = {table:String} and not is_done`,
      { table },
      { settings: last },
    )
    if ((row?.open ?? 0) === 0) return
    if (Date.now() > endMs) throw new Error(`${table} is not done with its mutations: ${row?.problem ?? ''}`)
  }
}

/**
 * Restores deleted first scans: the first remaining scan of a visitor becomes the first scan.
 * Idempotent, and scans that arrive meanwhile cannot disturb it. Processes some codes at a time, so
 * other queries wait well under a second. Throws if `signal` is aborted between two stretches.
 */
export async function findFirstScans(
  store: ClickHouse,
  signal: AbortSignal,
  scansPerStretch = 250_000,
): Promise<void> {
  const visitor = 'organization_id, qr_code_id, visitor'
  const ends = await stretchesOfCodes(store, scansPerStretch)
  for (const [index, end] of ends.entries()) {
    signal.throwIfAborted()
    const from = ends[index - 1]
    const isLast = index === ends.length - 1
    // Compares single columns, because the store finds rows by columns, not by pairs of columns.
    const conditions = [
      ...(from === undefined
        ? []
        : [
            `(organization_id > {fromOrganization:String} or organization_id = {fromOrganization:String} and qr_code_id > {fromCode:String})`,
          ]),
      ...(isLast
        ? []
        : [
            `(organization_id < {toOrganization:String} or organization_id = {toOrganization:String} and qr_code_id <= {toCode:String})`,
          ]),
    ]
    const stretch = conditions.length === 0 ? '1' : conditions.join(' and ')
    await store.command(
      `/* analytics.findFirstScans */
       insert into first_scans (${visitor}, place)
       select ${visitor}, min(${placeOfScan}) as place
       from scans
       where class = 'human' and ${ofKnownVisitors} and ${stretch}
       group by ${visitor}
       having (${visitor}, place) not in (
         select ${visitor}, min(place) from first_scans where ${stretch} group by ${visitor})`,
      {
        ...(from !== undefined && { fromOrganization: from.organizationId, fromCode: from.qrCodeId }),
        ...(!isLast && { toOrganization: end.organizationId, toCode: end.qrCodeId }),
      },
      { deadlineMs: 10 * 60_000, settings: last },
    )
  }
}

/**
 * Returns the last code of each stretch of codes that have about `size` scans together, and the
 * number of these scans.
 */
export function stretchesOfCodes(
  store: ClickHouse,
  size: number,
): Promise<{ organizationId: string; qrCodeId: string; scans: number }[]> {
  return store.select(
    `/* analytics.stretchesOfCodes */
     select
       organization_id as organizationId, qr_code_id as qrCodeId,
       upto - lagInFrame(upto, 1, 0) over (order by organization_id, qr_code_id) as scans
     from (
       select
         organization_id, qr_code_id, hits,
         sum(hits) over (order by organization_id, qr_code_id) as upto,
         leadInFrame(1, 1, 0) over (
           order by organization_id, qr_code_id
           rows between unbounded preceding and unbounded following) as more
       from (
         select organization_id, qr_code_id, count() as hits
         from scans
         group by organization_id, qr_code_id))
     where intDiv(upto, {size:UInt32}) > intDiv(upto - hits, {size:UInt32}) or more = 0
     order by organization_id, qr_code_id`,
    { size },
    { settings: last },
  )
}

export type ScansOfCode = {
  organizationId: string
  qrCodeId: string
  /** The batch of the scans. Empty: all batches. */
  batchId: string
  scans: number
}

/**
 * Counts the human scans of codes: over all batches, with an empty `batchId`, and for each batch in
 * `batchIds` or with an id from `sinceBatchId` on. All counts come from one state of the table.
 */
export function scansOfCodes(
  store: ClickHouse,
  codes: readonly { organizationId: string; qrCodeId: string }[],
  { batchIds, sinceBatchId }: { batchIds: readonly string[]; sinceBatchId: string },
): Promise<ScansOfCode[]> {
  const of = `class = 'human' and (organization_id, qr_code_id) in (
    select pair.1, pair.2
    from (select arrayJoin(arrayZip({organizationIds:Array(String)}, {qrCodeIds:Array(String)})) as pair))`
  return store.select<ScansOfCode>(
    `/* analytics.scansOfCodes */
     select organization_id as organizationId, qr_code_id as qrCodeId, '' as batchId, count() as scans
     from scans
     where ${of}
     group by organization_id, qr_code_id
     union all
     select organization_id, qr_code_id, batch_id, count()
     from scans
     where (batch_id >= {sinceBatchId:String} or batch_id in {batchIds:Array(String)}) and ${of}
     group by organization_id, qr_code_id, batch_id`,
    {
      organizationIds: codes.map(({ organizationId }) => organizationId),
      qrCodeIds: codes.map(({ qrCodeId }) => qrCodeId),
      batchIds,
      sinceBatchId,
    },
    { settings: last },
  )
}
