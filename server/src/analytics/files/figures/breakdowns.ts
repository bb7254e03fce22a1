import type { Interval } from '../../figures/calendar.ts'
import type { BreakdownRow } from '../../figures/figures.ts'
import type { MatrixSides } from '../../scan-store.ts'
import type { Select } from '../parquet/select.ts'
import { quarterMs } from '../rollups/rollup-sql.ts'
import { clockColumns, type ClockColumns } from './clock-columns.ts'
import { fileRollups } from './file-columns.ts'
import { conditionWithClosed, type FileScope, type FileSql } from './file-scope.ts'
import { matrixCellsSql } from './matrix.ts'
import { relationOf, type ListedScans } from './listed-scans.ts'
import { listedIds } from './readable-ids.ts'
import { scansByCodeSql, splitByDays } from './rolled-scans.ts'

export type BreakdownOptions = FileScope & {
  interval: Interval
  /** Codes that are counted separately, all of them in the selection. */
  topQrCodes?: readonly string[]
  /** Whether scans are also grouped by the rule and arm that answered. Only for one code. */
  byDestination?: boolean | undefined
  matrix?: MatrixSides | undefined
}

/** A group as the engine counts it. */
type CountedGroup = {
  dimension: BreakdownRow['dimension']
  value: string
  scans: number
  uniqueScans: number
  botScans: number
}

/** The dimension of a breakdown that has the unique scans of a group. */
const ofUniqueScans: Partial<Record<BreakdownRow['dimension'], BreakdownRow['dimension']>> = {
  timeline: 'uniqueScans',
  destination: 'uniqueScansOfDestinations',
  qrCodes: 'uniqueScansOfCodes',
}

/** Counts all groups of some scans in one statement, so that they come from one state. */
export async function selectBreakdowns(
  select: Select,
  listed: ListedScans,
  options: BreakdownOptions,
): Promise<BreakdownRow[]> {
  const relation = relationOf(listed, options)
  const { matrix, topQrCodes = [] } = options
  const parts = [
    groupsSql(listed, options),
    ...(topQrCodes.length === 0 ? [] : [codesSql(listed, options, topQrCodes)]),
    ...(matrix === undefined ? [] : [matrixCellsSql(relation, options, matrix)]),
  ]
  const groups = await select<CountedGroup>(
    `/* analytics.selectBreakdowns */
     ${parts.map(({ sql }) => `(${sql})`).join('\nunion all\n')}`,
    Object.assign({}, ...parts.map(({ params }) => params)),
  )
  return groups.flatMap(({ dimension, value, scans: count, uniqueScans: unique, botScans }) => {
    const row = { dimension, value, scans: count, botScans }
    const ofUnique = ofUniqueScans[dimension]
    return ofUnique === undefined ? [row] : [row, { dimension: ofUnique, value, scans: unique, botScans: 0 }]
  })
}

/**
 * Counts by units of time, which are far fewer than scans, and by each set of columns. Whole days
 * of an organization come from rollups, as far as files have them, and all codes but some are the
 * whole organization less these. Dates and hours come from the counts of units.
 */
function groupsSql(listed: ListedScans, options: BreakdownOptions): FileSql {
  const clock = clockColumns(options)
  const { selection, ...whole } = options
  const split =
    selection?.mode === 'only' || options.byDestination === true || clock.unitMs < quarterMs
      ? undefined
      : splitByDays(listed, whole)
  const rest = split === undefined ? relationOf(listed, options) : split.rest
  const parts = [countedOf(rest, split === undefined ? options : whole)]
  if (split !== undefined) parts.push({ sql: rolledGroups(split.rolled, clock), params: split.params })
  if (split !== undefined && selection !== undefined) {
    const others = countedOf(relationOf(listed, options), {
      ...whole,
      selection: { ...selection, mode: 'only' },
    })
    const negative = ['scans', 'unique_scans', 'hits'].map((name) => `-${name} as ${name}`).join(', ')
    parts.push({ ...others, sql: `select * replace (${negative}) from (${others.sql})` })
  }
  return {
    sql: `
      select
        dimension,
        case dimension when 'timeline' then bucket when 'hours' then week_hour::varchar else text end as value,
        sum(scans)::bigint as scans, sum(unique_scans)::bigint as "uniqueScans", sum(hits - scans)::bigint as "botScans"
      from (
        select
          unnest(if(unit_ms is null, [name], ['timeline', 'hours'])) as dimension,
          ${clock.bucket} as bucket, ${clock.weekHour} as week_hour, text, scans, unique_scans, hits
        from (
          select *, ${clock.clockMs} as clock_ms
          from (${parts.map(({ sql }) => sql).join('\nunion all by name\n')})))
      group by all`,
    params: Object.assign({}, clock.params, ...parts.map(({ params }) => params)),
  }
}

/**
 * Counts scans by units of time and by each set of columns, and the hits on closed codes, in one
 * pass: the engine would otherwise read the files again for each (measured).
 */
function countedOf(relation: string, options: BreakdownOptions): FileSql {
  const { unit, unitMs } = clockColumns(options)
  const { sql, params } = conditionWithClosed(options)
  const ofScans = [...fileRollups, ...(options.byDestination === true ? [destination] : [])]
  const sets = [closedHits, ...ofScans]
  const valuesOf = (value: (set: (typeof sets)[number]) => string) =>
    `case ${sets.map((set) => `when grouping(${set.columns[0]}) = 0 then ${value(set)}`).join(' ')} end`
  return {
    sql: `
      select
        unit * ${unitMs} as unit_ms, ${valuesOf(({ name }) => `'${name}'`)} as name,
        ${valuesOf(({ value }) => value)} as text,
        if(
          grouping(is_closed) = 0, count(*) filter (where is_closed), count(*) filter (where class = 'human')
        ) as scans,
        count(*) filter (where is_unique) as unique_scans, count(*) filter (where not is_closed) as hits
      from (
        select
          ${unit('epoch_ms(time)')} as unit, class, is_unique, organization_id = $closedOwner as is_closed,
          ${ofScans.flatMap((set) => set.columns).join(', ')}
        from ${relation}
        where ${sql})
      group by grouping sets ((unit), ${sets.map((set) => `(${set.columns.join(', ')})`).join(', ')})`,
    params,
  }
}

/** Counts the rows of rollups in the same way. */
function rolledGroups(rolled: string, { unit, unitMs }: ClockColumns): string {
  const texts = fileRollups.map(({ name, value }) => `when '${name}' then ${value}`)
  return `
    select
      if(kind = 'quarter', ${unit('start_ms')} * ${unitMs}, null) as unit_ms, kind as name,
      case kind ${texts.join(' ')} when 'closed' then '' end as text,
      sum(if(kind = 'closed', hits, scans))::bigint as scans, sum(unique_scans)::bigint as unique_scans,
      sum(hits)::bigint as hits
    from (
      select * replace (if(organization_id = $closedOwner, 'closed', kind) as kind)
      from (${rolled})
      where organization_id = $organizationId or kind = 'quarter')
    group by 1, 2, 3`
}

const closedHits = { name: 'closed', columns: ['is_closed'], value: `''` }

/** The rule and the arm that answered, as `rankedDestinations` reads them. */
const destination = { name: 'destination', columns: ['rule', 'arm'], value: `rule || chr(10) || arm` }

function codesSql(listed: ListedScans, options: BreakdownOptions, ids: readonly string[]): FileSql {
  const selection = { mode: 'only', ids: listedIds('topQrCodes', ids) } as const
  const { sql, params } = scansByCodeSql(listed, { ...options, selection })
  return {
    sql: `
      select
        'qrCodes' as dimension, id as value,
        sum(scans)::bigint as scans, sum(unique_scans)::bigint as "uniqueScans", 0 as "botScans"
      from (${sql})
      group by id`,
    params,
  }
}
