import {
  PeriodTooLong,
  ScanStoreUnavailable,
  type ReplayBounds,
  type ReplayColumns,
  type ReplayedScans,
  type ScopeOfCode,
} from '../scan-store.ts'
import type { ClickHouse } from '../store/clickhouse.ts'
import { scopeSql } from './scan-scope.ts'

type ColumnName = Exclude<keyof ReplayColumns, 'time'>

/** SQL of each column that a replay can request. */
const columns: Readonly<Record<ColumnName, string>> = {
  country: 'toString(country) as country',
  region: 'toString(region) as region',
  city: 'toString(city) as city',
  language: 'toString(language) as language',
  device: 'toString(device_type) as device',
  os: 'toString(os) as os',
  browser: 'toString(browser) as browser',
  visitor: `replaceAll(toString(visitor), '-', '') as visitor`,
}
const scansPerPieceDefault = 100_000
const quarterHourMs = 15 * 60_000
const behind = { priority: '3' }

type Piece = { startMs: number; endMs: number }

export async function* replayScans(
  store: ClickHouse,
  scope: ScopeOfCode,
  { columns: requested, bounds }: { columns: ReplayColumns; bounds: ReplayBounds },
): AsyncGenerator<ReplayedScans[], void, undefined> {
  const untilMs = performance.now() + bounds.msMax
  let doneFromMs = scope.endMs
  for (const piece of await piecesOf(store, scope, bounds)) {
    const leftMs = untilMs - performance.now()
    if (leftMs <= 0) throw new PeriodTooLong(doneFromMs, 'time')
    try {
      yield await selectPiece(store, { ...scope, ...piece }, { requested, deadlineMs: leftMs })
    } catch (error) {
      // The store abandons a query at its deadline.
      if (error instanceof ScanStoreUnavailable && performance.now() >= untilMs)
        throw new PeriodTooLong(doneFromMs, 'time')
      throw error
    }
    doneFromMs = piece.startMs
  }
}

/** Divides the period where the scans of whole quarters of an hour fill a piece. */
async function piecesOf(
  store: ClickHouse,
  scope: ScopeOfCode,
  { scansMax, scansPerPiece = scansPerPieceDefault }: ReplayBounds,
): Promise<Piece[]> {
  const { scans, params } = scopeSql(scope)
  const quarters = await store.select<{ startMs: number; scans: number }>(
    `/* analytics.replayScans, pieces */
     select toUnixTimestamp(toStartOfFifteenMinutes(time)) * 1000 as startMs, count() as scans
     from scans
     where ${scans} and class = 'human'
     group by startMs
     order by startMs desc`,
    params,
    { settings: behind },
  )
  const pieces: Piece[] = []
  let total = 0
  let inPiece = 0
  for (const { startMs, scans: count } of quarters) {
    total += count
    const endMs = Math.min(startMs + quarterHourMs, scope.endMs)
    if (total > scansMax) throw new PeriodTooLong(endMs, 'scans')
    const last = pieces.at(-1)
    const start = Math.max(startMs, scope.startMs)
    if (last === undefined || inPiece + count > scansPerPiece) {
      pieces.push({ startMs: start, endMs })
      inPiece = count
    } else {
      last.startMs = start
      inPiece += count
    }
  }
  return pieces
}

function selectPiece(
  store: ClickHouse,
  scope: ScopeOfCode,
  { requested, deadlineMs }: { requested: ReplayColumns; deadlineMs: number },
): Promise<ReplayedScans[]> {
  const { scans, params } = scopeSql(scope)
  const names = (Object.keys(columns) as ColumnName[]).filter((name) => requested[name])
  const times = {
    minute: 'toInt64(toUnixTimestamp(toStartOfMinute(time))) * 1000 as timeMs',
    millisecond: 'toUnixTimestamp64Milli(time) as timeMs',
  }
  const selected = [
    'toString(rule) as rule',
    'toString(arm) as arm',
    ...(requested.time === undefined ? [] : [times[requested.time]]),
    ...names.map((name) => columns[name]),
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
