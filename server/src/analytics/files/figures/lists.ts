import type { Scan } from '@everscan/contract/resources/scans.ts'
import { scanOf, type ListedScan } from '../../figures/listed-scan.ts'
import type { ListScansOptions } from '../../scan-store.ts'
import type { Select } from '../parquet/select.ts'
import { conditionOf } from './file-scope.ts'
import { relationOf, type ListedScans } from './listed-scans.ts'

const dayMs = 86_400_000

/**
 * Returns a page of the scans of a code, newest first. Days are counted first: a distant page then
 * sorts only the scans of its own days.
 */
export async function listScans(
  select: Select,
  listed: ListedScans,
  options: ListScansOptions,
): Promise<{ scans: Scan[]; total: number }> {
  const { page, limit, qrCodeId } = options
  const days = await countDays(select, listed, options)
  const total = days.reduce((sum, { scans }) => sum + scans, 0)
  const found = daysOfPage(days, { offset: (page - 1) * limit, limit })
  if (found === undefined) return { scans: [], total }
  const [startMs, endMs] = [
    Math.max(options.startMs, found.first * dayMs),
    Math.min(options.endMs, (found.last + 1) * dayMs),
  ]
  const rows = await selectPage(select, listed, { ...options, startMs, endMs, offset: found.offset })
  return { scans: rows.map(({ isUnique, ...row }) => scanOf(row, { qrCodeId, isFirst: isUnique })), total }
}

type CountedDay = { day: number; scans: number }

/** Returns the days (UTC) that have scans, newest first. */
function countDays(select: Select, listed: ListedScans, options: ListScansOptions): Promise<CountedDay[]> {
  const { sql, params } = conditionOf(options)
  return select<CountedDay>(
    `/* analytics.countScans */
     select epoch_ms(time) // ${dayMs} as day, count(*) as scans
     from ${relationOf(listed, options)}
     where ${sql} ${classOf(options)}
     group by day
     order by day desc`,
    params,
  )
}

/** Returns the days that have a page, and how many of their scans are before it. */
function daysOfPage(
  days: readonly CountedDay[],
  { offset, limit }: { offset: number; limit: number },
): { first: number; last: number; offset: number } | undefined {
  let before = 0
  let from: { last: number; offset: number } | undefined
  let first = 0
  for (const { day, scans } of days) {
    if (before >= offset + limit) break
    if (before + scans > offset) {
      from ??= { last: day, offset: offset - before }
      first = day
    }
    before += scans
  }
  return from && { ...from, first }
}

function selectPage(
  select: Select,
  listed: ListedScans,
  options: ListScansOptions & { offset: number },
): Promise<(ListedScan & { isUnique: boolean })[]> {
  const { limit, offset } = options
  const { sql, params } = conditionOf(options)
  return select(
    `/* analytics.listScans */
     select
       epoch_ms(time) as "timeMs", writer, sequence::varchar as number, class, bot_reason as "botReason",
       country, city, region, ${coordinate('latitude')} as latitude, ${coordinate('longitude')} as longitude,
       device_type as "deviceType", os, browser, referrer, language, rule, arm, is_unique as "isUnique"
     from ${relationOf(listed, options)}
     where ${sql} ${classOf(options)}
     order by time desc, writer desc, sequence desc
     limit $limit offset $offset`,
    { ...params, limit, offset },
  )
}

/** Returns SQL for the shortest number that is the same with 32 bits: 13.4, and not 13.39999961. */
export function coordinate(column: 'latitude' | 'longitude'): string {
  return `${column}::varchar::double`
}

function classOf({ includeBots }: ListScansOptions): string {
  return includeBots ? '' : `and class = 'human'`
}
