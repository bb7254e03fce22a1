import type { QrCodeAnalytics } from '@everscan/contract/analytics.ts'
import { bucketDates, type Interval } from './calendar.ts'
import { daysOf, type Period } from './period.ts'

/** One group of one breakdown. */
export type BreakdownRow = {
  dimension: 'timeline' | 'cities' | 'types' | 'os' | 'browsers' | 'referrers' | 'qrCodes' | 'hours'
  /** A date, a name, an id of a code that is told apart, or for hours the ISO weekday × 24 + the hour. */
  value: string
  /** Of cities; empty otherwise. */
  country: string
  scans: number
  botScans: number
}

/** Unique scans of a bucket, or of a code that is told apart; the other is empty. */
export type UniqueRow = { date: string; qrCodeId: string; uniqueScans: number }

/** Everything that analytics of one code and of an organization have in common. */
export type ScanFigures = Omit<QrCodeAnalytics, 'qrCodeId'>

type DeviceType = QrCodeAnalytics['devices']['types'][number]['type']

/** Puts the groups of all breakdowns into the shape of the interface: sorted, with percentages, without gaps in time. */
export function scanFigures(
  period: Period & { interval: Interval },
  rows: readonly BreakdownRow[],
  uniques: readonly UniqueRow[],
): ScanFigures {
  const groups = Map.groupBy(rows, ({ dimension }) => dimension)
  const timeline = timelineOf(period, groups.get('timeline') ?? [], uniques)
  const totalScans = sum(timeline, ({ scans }) => scans)
  const days = daysOf(period)
  const share = (scans: number) => ({ scans, percentage: percentage(scans, totalScans) })
  const shares = (dimension: BreakdownRow['dimension']) =>
    ranked(groups.get(dimension) ?? []).map(({ value, scans }) => ({ value, ...share(scans) }))
  const cities = ranked(groups.get('cities') ?? [])

  return {
    period: {
      start: new Date(period.startMs).toISOString(),
      end: new Date(period.endMs - 1).toISOString(),
    },
    summary: {
      totalScans,
      uniqueScans: sum(timeline, ({ uniqueScans }) => uniqueScans),
      avgDailyScans: Math.round((10 * totalScans) / (days.last - days.first + 1)) / 10,
      botScans: sum(groups.get('timeline') ?? [], ({ botScans }) => botScans),
    },
    timeline,
    geography: {
      countries: countriesOf(cities).map(({ value, scans }) => ({ country: value, ...share(scans) })),
      cities: cities.map(({ value, country, scans }) => ({ city: value, country, scans })),
    },
    devices: {
      types: shares('types').map(({ value, ...rest }) => ({ type: value as DeviceType, ...rest })),
      os: shares('os').map(({ value, ...rest }) => ({ os: value, ...rest })),
      browsers: shares('browsers').map(({ value, ...rest }) => ({ browser: value, ...rest })),
    },
    referrers: shares('referrers').map(({ value, ...rest }) => ({ referrer: value, ...rest })),
    hours: hoursOf(groups.get('hours') ?? []),
  }
}

/** The codes that were told apart and have scans, most first. */
export function rankedQrCodes(
  rows: readonly BreakdownRow[],
  uniques: readonly UniqueRow[],
): { qrCodeId: string; scans: number; uniqueScans: number; percentage: number }[] {
  const of = (dimension: BreakdownRow['dimension']) => rows.filter((row) => row.dimension === dimension)
  const totalScans = sum(of('timeline'), ({ scans }) => scans)
  const uniqueScans = new Map(uniques.map((row) => [row.qrCodeId, row.uniqueScans]))
  return ranked(of('qrCodes')).map(({ value, scans }) => ({
    qrCodeId: value,
    scans,
    uniqueScans: uniqueScans.get(value) ?? 0,
    percentage: percentage(scans, totalScans),
  }))
}

/** Multiplied first: 201 of 400 are 50.25 %, and 201 / 400 is a little less in binary, which would round down. */
function percentage(scans: number, totalScans: number): number {
  return totalScans === 0 ? 0 : Math.round((1000 * scans) / totalScans) / 10
}

function timelineOf(
  period: Period & { interval: Interval },
  rows: readonly BreakdownRow[],
  uniques: readonly UniqueRow[],
): ScanFigures['timeline'] {
  const days = daysOf(period)
  const scans = new Map(rows.map((row) => [row.value, row.scans]))
  const uniqueScans = new Map(uniques.map((row) => [row.date, row.uniqueScans]))
  return bucketDates(period.interval, days.first, days.last).map((date) => ({
    date,
    scans: scans.get(date) ?? 0,
    uniqueScans: uniqueScans.get(date) ?? 0,
  }))
}

/** Countries are summed up from their cities, so that the two lists cannot differ. */
function countriesOf(cities: readonly BreakdownRow[]): { value: string; scans: number }[] {
  const scans = new Map<string, number>()
  for (const city of cities) scans.set(city.country, (scans.get(city.country) ?? 0) + city.scans)
  return ranked([...scans].map(([value, count]) => ({ value, scans: count })))
}

function hoursOf(rows: readonly BreakdownRow[]): ScanFigures['hours'] {
  return rows
    .filter(({ scans }) => scans > 0)
    .map(({ value, scans }) => ({
      weekday: Math.floor(Number(value) / 24),
      hour: Number(value) % 24,
      scans,
    }))
    .sort((a, b) => a.weekday - b.weekday || a.hour - b.hour)
}

/** Most scans first, equals by name; groups that only bots were in are none. */
function ranked<Row extends { value: string; country?: string; scans: number }>(rows: readonly Row[]): Row[] {
  return rows
    .filter(({ scans }) => scans > 0)
    .sort(
      (a, b) => b.scans - a.scans || compare(a.value, b.value) || compare(a.country ?? '', b.country ?? ''),
    )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

function sum<Row>(rows: readonly Row[], count: (row: Row) => number): number {
  return rows.reduce((total, row) => total + count(row), 0)
}
