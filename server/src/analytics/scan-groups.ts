import type { Interval } from './calendar.ts'
import { bucketColumns, clockSql } from './clock-sql.ts'
import { scopeSql, type ScanScope, type ScopeSql } from './scan-scope.ts'
import type { Params } from './store.ts'

/** A select, and what it holds with. */
export type Select = { sql: string; params: Params }

export type GroupsOptions = ScanScope & { interval: Interval; topQrCodes?: readonly string[] }

const dayMs = 86_400_000

/** The two of the column `country_city`. */
const countryCity = {
  country: `substringIndex(country_city, ' ', 1)`,
  city: `substring(country_city, position(country_city, ' ') + 1)`,
}

/**
 * All breakdowns of some scans in one statement, so on one state of the table: rows of `dimension`, `value`, `country`, `human` and `hits`. Of an organization
 * the whole days (UTC) are read from the projections of `scans`, which the store keeps with the scans themselves, and only what is left over scan by scan.
 */
export function groupsSql(options: GroupsOptions): Select {
  const scope = scopeSql(options)
  const clock = clockSql(options)
  const days = clock.unitSeconds >= 900 ? wholeUnits(options, scope, 'day') : undefined
  const buckets = `${bucketColumns[options.interval]} as bucket, toDayOfWeek(clock) * 24 + toHour(clock) as week_hour`
  const rest = days === undefined ? scope.scans : days.rest
  const { topQrCodes = [] } = options
  // Their scans lie together, so only those are read.
  const codes =
    topQrCodes.length === 0
      ? undefined
      : scansByCodeSql(options, 'and qr_code_id in {topQrCodes:Array(String)}')
  const selects = [
    ...(days === undefined ? [] : rolledGroups(days.owner, clock.at('quarter'), buckets)),
    ...(rest === undefined
      ? []
      : [rawGroups(rest, { unitSeconds: clock.unitSeconds, clock: clock.at('moment'), buckets })]),
    ...(codes === undefined
      ? []
      : [
          `select 'qrCodes' as dimension, id as value, '' as country, human, human as hits from (${codes.sql})`,
        ]),
  ]
  return {
    sql: selects.join('\nunion all\n'),
    params: {
      ...scope.params,
      ...clock.params,
      ...days?.params,
      ...(codes !== undefined && { ...codes.params, topQrCodes }),
    },
  }
}

/** How many scans each code has, as rows of `id` and `human`, where a code may have several; `which` is added to what is asked of the scans. */
export function scansByCodeSql(options: ScanScope, which = ''): Select {
  const scope = scopeSql(options)
  const months = wholeUnits(options, scope, 'month')
  const byCode = (where: string) =>
    `select qr_code_id as id, count() as human
     from scans
     where ${where} and class = 'human' ${which}
     group by id`
  if (months === undefined) return { sql: byCode(scope.scans), params: scope.params }
  const whole = byCode(`${scope.owner}
    and toStartOfMonth(time) >= toDate({monthFrom:Int32})
    and toStartOfMonth(time) < toDate({monthUntil:Int32})`)
  return {
    sql: [whole, ...(months.rest === undefined ? [] : [byCode(months.rest)])].join('\nunion all\n'),
    params: { ...scope.params, ...months.params },
  }
}

/**
 * The whole days or months (UTC) of an organization's period without filters, from and until (exclusive) the days that `params` have; and a condition for the
 * scans before and after them, if the period has room for any.
 */
function wholeUnits(
  { qrCodeId, startMs, endMs }: ScanScope,
  { owner, isFiltered }: ScopeSql,
  unit: 'day' | 'month',
): { owner: string; rest: string | undefined; params: Params } | undefined {
  if (qrCodeId !== undefined || isFiltered) return undefined
  const fromMs = startOf[unit](startMs - 1, 1)
  const untilMs = startOf[unit](endMs)
  if (fromMs >= untilMs) return undefined
  const isAll = fromMs === startMs && untilMs === endMs
  const day = (name: string) => `toDateTime64(toDate({${unit}${name}:Int32}), 3, 'UTC')`
  return {
    owner,
    rest: isAll
      ? undefined
      : `${owner}
         and (time >= fromUnixTimestamp64Milli({startMs:Int64}) and time < ${day('From')}
           or time >= ${day('Until')} and time < fromUnixTimestamp64Milli({endMs:Int64}))`,
    params: { [`${unit}From`]: fromMs / dayMs, [`${unit}Until`]: untilMs / dayMs },
  }
}

/** The start of the day or month of a moment, or of one so many later. */
const startOf = {
  day: (ms: number, later = 0) => (Math.floor(ms / dayMs) + later) * dayMs,
  month: (ms: number, later = 0) =>
    Date.UTC(new Date(ms).getUTCFullYear(), new Date(ms).getUTCMonth() + later),
}

/** Dates and hours are made of units of time, of which there are far fewer than scans. */
function rawGroups(
  where: string,
  { unitSeconds, clock, buckets }: { unitSeconds: number; clock: string; buckets: string },
): string {
  return `select
       if(kind = 'units', part, kind) as dimension,
       multiIf(part = 'timeline', toString(bucket), part = 'hours', toString(week_hour), name) as value,
       country, human, hits
     from (
       select
         kind, name, country, human, hits,
         arrayJoin(if(kind = 'units', ['timeline', 'hours'], [''])) as part, ${clock} as clock, ${buckets}
       from (
         select
           multiIf(
             grouping(unit) = 0, 'units',
             grouping(country_city) = 0, 'cities',
             grouping(device_type) = 0, 'types',
             grouping(os) = 0, 'os',
             grouping(browser) = 0, 'browsers',
             'referrers') as kind,
           multiIf(
             kind = 'cities', ${countryCity.city},
             kind = 'types', toString(device_type),
             kind = 'os', toString(os),
             kind = 'browsers', toString(browser),
             toString(referrer)) as name,
           if(kind = 'cities', ${countryCity.country}, '') as country,
           toDateTime(unit * ${unitSeconds}, 'UTC') as moment,
           countIf(class = 'human') as human,
           count() as hits
         from (
           select
             class, country_city, device_type, os, browser, referrer, intDiv(toUnixTimestamp(time), ${unitSeconds}) as unit
           from scans
           where ${where})
         group by grouping sets ((unit), (country_city), (device_type), (os), (browser), (referrer))))`
}

/** From the projections: the columns that they group by, and nothing else, or the store reads the scans themselves. */
function rolledGroups(owner: string, clock: string, buckets: string): string[] {
  const days = `${owner}
           and toDate(time) >= toDate({dayFrom:Int32})
           and toDate(time) < toDate({dayUntil:Int32})`
  return [
    `select
       if(grouping(bucket) = 0, 'timeline', 'hours') as dimension,
       if(dimension = 'timeline', toString(bucket), toString(week_hour)) as value,
       '' as country,
       sumIf(part, class = 'human') as human,
       sum(part) as hits
     from (
       select class, part, ${clock} as clock, ${buckets}
       from (
         select toStartOfFifteenMinutes(time) as quarter, class, count() as part
         from scans
         where ${owner}
           and toStartOfFifteenMinutes(time) >= toDateTime({dayFrom:Int32} * 86400, 'UTC')
           and toStartOfFifteenMinutes(time) < toDateTime({dayUntil:Int32} * 86400, 'UTC')
         group by quarter, class))
     group by grouping sets ((bucket), (week_hour))`,
    `select
       'cities' as dimension, ${countryCity.city} as value, ${countryCity.country} as country,
       sumIf(part, class = 'human') as human,
       sum(part) as hits
     from (
       select country_city, class, count() as part
       from scans
       where ${days}
       group by country_city, class)
     group by country_city`,
    `select
       multiIf(
         grouping(device_type) = 0, 'types',
         grouping(os) = 0, 'os',
         grouping(browser) = 0, 'browsers',
         'referrers') as dimension,
       multiIf(
         dimension = 'types', toString(device_type),
         dimension = 'os', toString(os),
         dimension = 'browsers', toString(browser),
         toString(referrer)) as value,
       '' as country,
       sumIf(part, class = 'human') as human,
       sum(part) as hits
     from (
       select device_type, os, browser, referrer, class, count() as part
       from scans
       where ${days}
       group by device_type, os, browser, referrer, class)
     group by grouping sets ((device_type), (os), (browser), (referrer))`,
  ]
}
