import { ofOrganizations } from '../store/closed-owner.ts'
import { isOfDays } from './put-back.ts'
import type { ClickHouse } from '../store/clickhouse.ts'

/** Settings of queries that run after incoming scans and figures. */
const last = { priority: '3' }
const deadlineMs = 10 * 60_000

/** The number of stored hits of a writer on a day (UTC, days since 1970). */
export type StoredDay = { writer: string; day: number; hits: number }

/**
 * Returns the stored hits of each writer and day, without those of `exceptBatchIds`, which may
 * still be arriving.
 */
export async function storedDays(store: ClickHouse, exceptBatchIds: readonly string[]): Promise<StoredDay[]> {
  const all = await select<StoredDay>(
    store,
    `/* analytics.storedDays */
     select toString(writer) as writer, intDiv(toUnixTimestamp(time), 86400) as day, count() as hits
     from scans
     group by writer, day`,
  )
  if (exceptBatchIds.length === 0) return all
  const open = await select<StoredDay>(
    store,
    `/* analytics.storedDays */
     select toString(writer) as writer, intDiv(toUnixTimestamp(time), 86400) as day, count() as hits
     from scans
     where batch_id in {exceptBatchIds:Array(String)}
     group by writer, day`,
    { exceptBatchIds },
  )
  const hits = new Map(open.map((row) => [`${row.writer} ${row.day}`, row.hits]))
  return all.map((row) => ({ ...row, hits: row.hits - (hits.get(`${row.writer} ${row.day}`) ?? 0) }))
}

/** A stretch of a writer's sequences: those after `after`, without those of some batches. */
export type StoredStretch = { writer: string; after: number; exceptBatchIds: readonly string[] }

// Answers that decide which scans are inserted or counted come from a server that has caught up: a
// replica that lags has too few.

/** Returns the last stored sequence of a stretch, or 0 if there is none. */
export async function lastStoredSequence(store: ClickHouse, stretch: StoredStretch): Promise<number> {
  const [row] = await store.caughtUp(() =>
    select<{ upTo: number }>(
      store,
      `/* analytics.lastStoredSequence */ select max(sequence) as upTo from scans where ${ofStretch(stretch)}`,
      stretch,
    ),
  )
  return row?.upTo ?? 0
}

/** Returns the stored sequences of a stretch, ascending; at most `limit`. */
export async function storedSequences(
  store: ClickHouse,
  stretch: StoredStretch,
  limit: number,
): Promise<number[]> {
  const rows = await store.caughtUp(() =>
    select<{ sequence: number }>(
      store,
      `/* analytics.storedSequences */
       select sequence from scans where ${ofStretch(stretch)} order by sequence limit {limit:UInt32}`,
      { ...stretch, limit },
    ),
  )
  return rows.map(({ sequence }) => sequence)
}

function ofStretch({ exceptBatchIds }: StoredStretch): string {
  // Without batches to exclude, their column is not read at all.
  const others = exceptBatchIds.length === 0 ? '' : 'and batch_id not in {exceptBatchIds:Array(String)}'
  return `writer = {writer:String} and sequence > {after:UInt64} ${others}`
}

export type StoredCode = { organizationId: string; qrCodeId: string; shortCode: string; domain: string }

/** Returns the codes of which a writer has hits on some days. */
export function codesOfDays(
  store: ClickHouse,
  writer: string,
  days: readonly number[],
): Promise<StoredCode[]> {
  return select<StoredCode>(
    store,
    `/* analytics.codesOfDays */
     select
       toString(organization_id) as organizationId, qr_code_id as qrCodeId,
       max(short_code) as shortCode, max(toString(domain)) as domain
     from scans
     where writer = {writer:String} and ${isOfDays} and ${ofOrganizations}
     group by organization_id, qr_code_id`,
    { writer, days: days.map(String) },
  )
}

export type StoredBatch = {
  scans: (StoredCode & { scans: number; hits: number })[]
  days: Map<number, number>
}

/** Returns the stored contents of a batch: scans and hits of each code, and hits of each day. */
export async function storedBatch(store: ClickHouse, batchId: string): Promise<StoredBatch> {
  return await store.caughtUp(async () => {
    const scans = await select<StoredBatch['scans'][number]>(
      store,
      `/* analytics.storedBatch */
       select
         toString(organization_id) as organizationId, qr_code_id as qrCodeId,
         max(short_code) as shortCode, max(toString(domain)) as domain, countIf(class = 'human') as scans,
         count() as hits
       from scans
       where batch_id = {batchId:String} and ${ofOrganizations}
       group by organization_id, qr_code_id`,
      { batchId },
    )
    const days = await select<{ day: number; hits: number }>(
      store,
      `/* analytics.storedBatch */
       select intDiv(toUnixTimestamp(time), 86400) as day, count() as hits
       from scans
       where batch_id = {batchId:String}
       group by day`,
      { batchId },
    )
    return { scans, days: new Map(days.map(({ day, hits }) => [day, hits])) }
  })
}

/** Returns the number of rows of each of these batches. Batches without rows are left out. */
export async function rowsOfBatches(
  store: ClickHouse,
  batchIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await select<{ batchId: string; hits: number }>(
    store,
    `/* analytics.rowsOfBatches */
     select batch_id as batchId, count() as hits
     from scans
     where batch_id in {batchIds:Array(String)}
     group by batch_id`,
    { batchIds },
  )
  return new Map(rows.map(({ batchId, hits }) => [batchId, hits]))
}

async function select<Row>(
  store: ClickHouse,
  sql: string,
  params: Parameters<ClickHouse['select']>[1] = {},
): Promise<Row[]> {
  return store.select<Row>(sql, params, { deadlineMs, settings: last })
}
