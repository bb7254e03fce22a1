import type { Interval } from './calendar.ts'
import { placeOfScan } from '../store/first-scans.ts'
import { clockSql } from './clock-sql.ts'
import { rollups } from './dimension-columns.ts'
import { scopeSql, signedScopes, type SqlScope } from './scan-scope.ts'
import { listedCodes } from './selections.ts'
import type { Params } from '../store/clickhouse.ts'

/** A select and its parameters. */
export type Select = { sql: string; params: Params }

export type GroupsOptions = SqlScope & {
  interval: Interval
  /** Codes that are counted separately, all of them in the selection. */
  topQrCodes?: readonly string[]
  /** Whether scans are also grouped by the rule and arm that answered. Only for one code. */
  byDestination?: boolean | undefined
}

const dayMs = 86_400_000

/**
 * The columns that scans are grouped by, one at a time. The other columns of a row are empty, or 0.
 */
const groups = ['unit', ...rollups.flat(), 'destination'] as const

/**
 * Returns one statement for all breakdowns of some scans, so that they come from one state of the
 * table: rows of `dimension`, `value`, `scans` and `botScans`. For an organization without filters,
 * whole days (UTC) are read from the projections of `scans`, which the store keeps with the scans
 * themselves. Only the rest of the period is read scan by scan. Each part counts by units of time,
 * which are far fewer than scans. Dates and hours are computed from these counts.
 */
export function groupsSql(options: GroupsOptions): Select {
  const clock = clockSql(options)
  const { topQrCodes = [] } = options
  const all = signedScopes(options).map(({ scope, sign }) => ({
    sign,
    ...partsOf(scope, clock.unitSeconds),
  }))
  // The scans of a code lie together, so only those of these codes are read.
  const codes =
    topQrCodes.length === 0
      ? undefined
      : scansByCodeSql({ ...options, selection: listedCodes('topQrCodes', topQrCodes) })
  const parts = [
    ...all.flatMap(({ sign, parts: signed }) => signed.map((part) => weighted(part, sign))),
    ...(codes === undefined
      ? []
      : [
          `select 'qrCodes' as kind, toUInt32(0) as unit, id as name, toInt64(human), toInt64(human) as hits from (${codes.sql})`,
        ]),
  ]
  return {
    sql: `
      select
        dimension,
        multiIf(
          dimension = 'timeline', toString(${clock.bucket(options.interval, 'moment')}),
          dimension = 'hours', toString(toDayOfWeek(clock) * 24 + toHour(clock)),
          name) as value,
        sum(human) as scans,
        sum(hits) - scans as botScans
      from (
        select
          arrayJoin(if(kind = 'unit', ['timeline', 'hours'], [kind])) as dimension,
          toDateTime(unit * ${clock.unitSeconds}, 'UTC') as moment,
          ${clock.at('moment')} as clock,
          name, human, hits
        from (${parts.join('\nunion all\n')}))
      group by dimension, value`,
    params: {
      ...Object.assign({}, ...all.map(({ params }) => params)),
      ...clock.params,
      ...codes?.params,
    },
  }
}

/** Returns selects that together have all groups of some scans. */
function partsOf(options: GroupsOptions, unitSeconds: number): { parts: string[]; params: Params } {
  const scope = scopeSql(options)
  const days = unitSeconds >= 900 ? wholeUnits(options, 'day') : undefined
  const rest = days === undefined ? scope.scans : days.rest
  return {
    parts: [
      ...(days === undefined ? [] : rolledGroups(days.owner, unitSeconds)),
      ...(rest === undefined
        ? []
        : [rawGroups(rest, { unitSeconds, byDestination: options.byDestination === true })]),
    ],
    params: { ...scope.params, ...days?.params },
  }
}

/** Returns a part as numbers that can be added to others, or subtracted from them. */
function weighted(part: string, sign: 1 | -1): string {
  const number = (column: string) => `${sign === 1 ? '' : '-'}toInt64(${column}) as ${column}`
  return `select kind, unit, name, ${number('human')}, ${number('hits')} from (${part})`
}

/**
 * Returns a select of the number of scans of each code: rows of `id` and `human`, with possibly
 * several rows for one code.
 */
export function scansByCodeSql(options: SqlScope, kind: 'human' | 'bot' = 'human'): Select {
  const scope = scopeSql(options)
  // The rollup has the codes, so a selection needs no other way.
  const months = scope.isFiltered ? undefined : wholeUnits({ ...options, selection: undefined }, 'month')
  const byCode = (where: string) =>
    `select qr_code_id as id, count() as human
     from scans
     where ${where} and class = '${kind}'
     group by id`
  if (months === undefined) return { sql: byCode(scope.scans), params: scope.params }
  const whole = byCode(`${months.owner}
    and toStartOfMonth(time) >= toDate({monthFrom:Int32})
    and toStartOfMonth(time) < toDate({monthUntil:Int32})
    ${scope.selectedIds}`)
  const rest = months.rest === undefined ? [] : [byCode(`${months.rest} ${scope.selectedIds}`)]
  return {
    sql: [whole, ...rest].join('\nunion all\n'),
    params: { ...scope.params, ...months.params },
  }
}

/**
 * Returns a select of the number of scans in a scope, or of its hits by bots: rows of `human` that
 * add up to it.
 */
export function scansSql(options: SqlScope, kind: 'human' | 'bot' = 'human'): Select {
  const parts = signedScopes(options).map(({ scope, sign }) => {
    const days = wholeUnits(scope, 'day')
    const { sql, params } =
      days === undefined ? scansByCodeSql(scope, kind) : { sql: '', params: scopeSql(scope).params }
    const selects =
      days === undefined
        ? [sql]
        : [
            `select sumIf(part, class = '${kind}') as human
             from (
               select toStartOfFifteenMinutes(time) as quarter, class, count() as part
               from scans
               where ${quartersOf(days.owner)}
               group by quarter, class)`,
            ...(days.rest === undefined
              ? []
              : [`select count() as human from scans where ${days.rest} and class = '${kind}'`]),
          ]
    return {
      sql: selects.map((select) => `select ${sign} * toInt64(human) as human from (${select})`),
      params: { ...params, ...days?.params },
    }
  })
  return {
    sql: parts.flatMap(({ sql }) => sql).join('\nunion all\n'),
    params: Object.assign({}, ...parts.map(({ params }) => params)) as Params,
  }
}

/** Returns the condition for whole days that the rollup of quarter hours has. */
function quartersOf(owner: string): string {
  return `${owner}
         and toStartOfFifteenMinutes(time) >= toDateTime({dayFrom:Int32} * 86400, 'UTC')
         and toStartOfFifteenMinutes(time) < toDateTime({dayUntil:Int32} * 86400, 'UTC')`
}

/**
 * Returns the table and condition of the unique scans in a scope. Without a filter, `first_scans`
 * alone has the answer. With a filter, or by destination, these are the scans that are first scans.
 */
export function firstScansSql(options: SqlScope & Pick<GroupsOptions, 'byDestination'>): {
  source: string
  params: Params
} {
  const { scans, firstScans, isFiltered, params } = scopeSql(options)
  const source =
    isFiltered || options.byDestination === true
      ? `scans
       where ${scans}
         and class = 'human'
         and cityHash64(${placeOfScan}) in (select cityHash64(place) from first_scans final where ${firstScans})`
      : `first_scans final
       where ${firstScans}`
  return { source, params }
}

/**
 * Returns the whole days or months (UTC) of an organization's period without filters or selection.
 * `params` has their first day and the day after their last. `rest` is a condition for the scans
 * before and after them, if the period extends beyond them. Returns undefined if there are none.
 */
export function wholeUnits(
  scope: SqlScope,
  unit: 'day' | 'month',
): { owner: string; rest: string | undefined; params: Params } | undefined {
  const { startMs, endMs } = scope
  const { owner, isWhole } = scopeSql(scope)
  if (!isWhole) return undefined
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

/** The start of the day or month of an instant, or of the one that is `later` units later. */
const startOf = {
  day: (ms: number, later = 0) => (Math.floor(ms / dayMs) + later) * dayMs,
  month: (ms: number, later = 0) =>
    Date.UTC(new Date(ms).getUTCFullYear(), new Date(ms).getUTCMonth() + later),
}

function rawGroups(
  where: string,
  { unitSeconds, byDestination }: { unitSeconds: number; byDestination: boolean },
): string {
  const columns = groups.filter((column) => byDestination || column !== 'destination')
  return `
    select ${grouped(columns)}, countIf(class = 'human') as human, count() as hits
    from (
      select class, ${columns.filter((column) => column !== 'unit').join(', ')}, ${unitOf('time', unitSeconds)} as unit
      from scans
      where ${where})
    group by grouping sets (${columns.map((column) => `(${column})`).join(', ')})`
}

/**
 * Returns selects from the projections. They use only columns that a projection groups by;
 * otherwise the store would read the scans themselves.
 */
function rolledGroups(owner: string, unitSeconds: number): string[] {
  const days = `${owner}
           and toDate(time) >= toDate({dayFrom:Int32})
           and toDate(time) < toDate({dayUntil:Int32})`
  const sums = `sumIf(part, class = 'human') as human, sum(part) as hits`
  return [
    `select 'unit' as kind, ${unitOf('quarter', unitSeconds)} as unit, '' as name, ${sums}
     from (
       select toStartOfFifteenMinutes(time) as quarter, class, count() as part
       from scans
       where ${quartersOf(owner)}
       group by quarter, class)
     group by unit`,
    ...rollups.map(
      (columns) => `select ${grouped(columns)}, ${sums}
     from (
       select ${columns.join(', ')}, class, count() as part
       from scans
       where ${days}
       group by ${columns.join(', ')}, class)
     group by grouping sets (${columns.map((column) => `(${column})`).join(', ')})`,
    ),
  ]
}

function unitOf(column: string, unitSeconds: number): string {
  return `intDiv(toUnixTimestamp(${column}), ${unitSeconds})`
}

/**
 * Returns the columns of a row of grouping sets: the kind of the column that the row is grouped by,
 * the unit of time, and the name. Text columns that a row is not grouped by are empty, so the name
 * is the concatenation of all.
 */
function grouped(columns: readonly (typeof groups)[number][]): string {
  const kinds = columns.map((column) => `'${column}'`)
  // One bit per column, the last column lowest; 0 for the column that a row is grouped by.
  const masks = columns.map((_, index) => (1 << columns.length) - 1 - (1 << (columns.length - 1 - index)))
  const names = columns.filter((column) => column !== 'unit')
  return `
    transform(grouping(${columns.join(', ')}), [${masks.join(', ')}], [${kinds.join(', ')}], '') as kind,
    ${columns.includes('unit') ? 'unit' : 'toUInt32(0) as unit'},
    concat('', ${names.join(', ')}) as name`
}
