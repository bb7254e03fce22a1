import {
  quarterHourMs,
  requestedColumns,
  type CountedQuarter,
  type ReplayColumn,
} from '../../figures/replay-pieces.ts'
import type { ReplayColumns, ReplayedScans, ScopeOfCode } from '../../scan-store.ts'
import type { Select } from '../parquet/select.ts'
import { conditionOf } from './file-scope.ts'
import { relationOf, type ListedScans } from './listed-scans.ts'

/** SQL of each column that a replay can request. */
const columns: Readonly<Record<ReplayColumn, string>> = {
  country: 'country',
  region: 'region',
  city: 'city',
  language: 'language',
  device: 'device_type as device',
  os: 'os',
  browser: 'browser',
  visitor: 'visitor',
}
const minuteMs = 60_000
const times = {
  minute: `epoch_ms(time) // ${minuteMs} * ${minuteMs} as "timeMs"`,
  millisecond: 'epoch_ms(time) as "timeMs"',
}

/** Returns the quarters of an hour (UTC) that have scans by people, newest first. */
export function countQuarters(
  select: Select,
  listed: ListedScans,
  scope: ScopeOfCode,
): Promise<CountedQuarter[]> {
  const { sql, params } = conditionOf(scope)
  return select<CountedQuarter>(
    `/* analytics.replayScans, pieces */
     select quarter * ${quarterHourMs} as "startMs", count(*) as scans
     from (
       select epoch_ms(time) // ${quarterHourMs} as quarter
       from ${relationOf(listed, scope)}
       where ${sql} and class = 'human')
     group by quarter
     order by quarter desc`,
    params,
  )
}

/** Counts the scans by people of a piece that are equal in the requested columns. */
export async function selectPiece(
  select: Select,
  listed: ListedScans,
  { scope, requested }: { scope: ScopeOfCode; requested: ReplayColumns },
): Promise<ReplayedScans[]> {
  const { sql, params } = conditionOf(scope)
  const selected = [
    'rule',
    'arm',
    ...(requested.time === undefined ? [] : [times[requested.time]]),
    ...requestedColumns(requested).map((name) => columns[name]),
  ]
  const visitor = requested.visitor ? `replace (replace(visitor::varchar, '-', '') as visitor)` : ''
  return await select<ReplayedScans>(
    `/* analytics.replayScans */
     select * ${visitor}
     from (
       select ${selected.join(', ')}, count(*) as scans
       from ${relationOf(listed, scope)}
       where ${sql} and class = 'human'
       group by all)`,
    params,
  )
}
