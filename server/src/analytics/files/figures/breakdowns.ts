import type { Interval } from '../../figures/calendar.ts'
import type { BreakdownRow } from '../../figures/figures.ts'
import type { MatrixSides } from '../../scan-store.ts'
import { closedOwnerOf } from '../../store/closed-owner.ts'
import type { Select } from '../parquet/select.ts'
import { clockColumns } from './clock-columns.ts'
import { fileRollups } from './file-columns.ts'
import { conditionOf, conditionOfRest, timesSql, type FileScope, type FileSql } from './file-scope.ts'
import { matrixCellsSql } from './matrix.ts'
import { relationOf, type ListedScans } from './listed-scans.ts'

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
    groupsSql(relation, options),
    closedHitsSql(relation, options),
    ...(topQrCodes.length === 0 ? [] : [codesSql(relation, options, topQrCodes)]),
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
 * Counts by units of time, which are far fewer than scans, and by each set of columns, in one pass:
 * the engine would otherwise read the files again for each (measured). Dates and hours come from
 * the counts of units.
 */
function groupsSql(relation: string, options: BreakdownOptions): FileSql {
  const clock = clockColumns(options)
  const { sql, params } = conditionOf(options)
  const sets = [...fileRollups, ...(options.byDestination === true ? [destination] : [])]
  const columns = sets.flatMap((set) => set.columns)
  const valuesOf = (value: (set: (typeof sets)[number]) => string) =>
    `case ${sets.map((set) => `when grouping(${set.columns[0]}) = 0 then ${value(set)}`).join(' ')} end`
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
          from (
            select
              ${clock.unitMs} as unit_ms, ${valuesOf(({ name }) => `'${name}'`)} as name,
              ${valuesOf(({ value }) => value)} as text,
              count(*) filter (where class = 'human') as scans,
              count(*) filter (where is_unique) as unique_scans, count(*) as hits
            from (
              select ${clock.unit} as unit, class, is_unique, ${columns.join(', ')}
              from ${relation}
              where ${sql})
            group by grouping sets ((unit), ${sets.map((set) => `(${set.columns.join(', ')})`).join(', ')}))))
      group by all`,
    params: { ...params, ...clock.params },
  }
}

/** The rule and the arm that answered, as `rankedDestinations` reads them. */
const destination = { name: 'destination', columns: ['rule', 'arm'], value: `rule || chr(10) || arm` }

/** Counts the hits on closed codes, which have an owner of their own. */
function closedHitsSql(relation: string, options: BreakdownOptions): FileSql {
  const rest = conditionOfRest(options)
  return {
    sql: `
      select 'closed' as dimension, '' as value, count(*) as scans, 0 as "uniqueScans", 0 as "botScans"
      from ${relation}
      where organization_id = $closedOwner and ${timesSql()} ${rest.sql} and class = 'bot'`,
    params: { closedOwner: closedOwnerOf(options.organizationId), ...rest.params },
  }
}

function codesSql(relation: string, options: BreakdownOptions, ids: readonly string[]): FileSql {
  const { sql, params } = conditionOf({ ...options, selection: undefined })
  return {
    sql: `
      select
        'qrCodes' as dimension, qr_code_id as value,
        count(*) as scans, count(*) filter (where is_unique) as "uniqueScans", 0 as "botScans"
      from ${relation}
      where ${sql} and class = 'human' and qr_code_id in (select unnest($topQrCodes))
      group by qr_code_id`,
    params: { ...params, topQrCodes: ids },
  }
}
