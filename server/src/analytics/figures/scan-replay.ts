import type { ReplayBounds, ReplayColumns, ReplayedScans, ScopeOfCode } from '../scan-store.ts'
import type { ClickHouse } from '../store/clickhouse.ts'
import { replayInPieces, requestedColumns, type CountedQuarter, type ReplayColumn } from './replay-pieces.ts'
import { scopeSql } from './scan-scope.ts'

/** SQL of each column that a replay can request. */
const columns: Readonly<Record<ReplayColumn, string>> = {
  country: 'toString(country) as country',
  region: 'toString(region) as region',
  city: 'toString(city) as city',
  language: 'toString(language) as language',
  device: 'toString(device_type) as device',
  os: 'toString(os) as os',
  browser: 'toString(browser) as browser',
  visitor: `replaceAll(toString(visitor), '-', '') as visitor`,
}
const behind = { priority: '3' }

export function replayScans(
  store: ClickHouse,
  scope: ScopeOfCode,
  { columns: requested, bounds }: { columns: ReplayColumns; bounds: ReplayBounds },
): AsyncGenerator<ReplayedScans[], void, undefined> {
  return replayInPieces(scope, bounds, {
    countQuarters: () => countQuarters(store, scope),
    selectPiece: (piece, deadlineMs) => selectPiece(store, { ...scope, ...piece }, { requested, deadlineMs }),
  })
}

function countQuarters(store: ClickHouse, scope: ScopeOfCode): Promise<CountedQuarter[]> {
  const { scans, params } = scopeSql(scope)
  return store.select<CountedQuarter>(
    `/* analytics.replayScans, pieces */
     select toUnixTimestamp(toStartOfFifteenMinutes(time)) * 1000 as startMs, count() as scans
     from scans
     where ${scans} and class = 'human'
     group by startMs
     order by startMs desc`,
    params,
    { settings: behind },
  )
}

function selectPiece(
  store: ClickHouse,
  scope: ScopeOfCode,
  { requested, deadlineMs }: { requested: ReplayColumns; deadlineMs: number },
): Promise<ReplayedScans[]> {
  const { scans, params } = scopeSql(scope)
  const times = {
    minute: 'toInt64(toUnixTimestamp(toStartOfMinute(time))) * 1000 as timeMs',
    millisecond: 'toUnixTimestamp64Milli(time) as timeMs',
  }
  const selected = [
    'toString(rule) as rule',
    'toString(arm) as arm',
    ...(requested.time === undefined ? [] : [times[requested.time]]),
    ...requestedColumns(requested).map((name) => columns[name]),
  ]
  return store.select<ReplayedScans>(
    `/* analytics.replayScans */
     select ${selected.join(', ')}, count() as scans
     from scans
     where ${scans} and class = 'human'
     group by ${selected.map((one) => one.slice(one.lastIndexOf(' ') + 1)).join(', ')}`,
    params,
    { deadlineMs, settings: behind },
  )
}
