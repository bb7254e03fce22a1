import type { AnalyticsDestination, QrCodeAnalytics } from '@everscan/contract/resources/analytics.ts'
import { listsOf } from '@everscan/contract/dimensions/answered-lists.ts'
import { listOf, type answeredLists, type ListedDimension } from '@everscan/contract/dimensions/dimensions.ts'
import { bucketDates, dateText, dayOf, hourStarts, type Interval } from './calendar.ts'
import { dimensionColumns, rolledValue, type RollupColumn } from './dimension-columns.ts'
import { daysOf, type Period } from './period.ts'

/** One group of a breakdown. */
export type BreakdownRow = {
  dimension:
    | 'timeline'
    | 'hours'
    | RollupColumn
    | 'qrCodes'
    | 'uniqueScans'
    | 'uniqueScansOfCodes'
    | 'destination'
    | 'uniqueScansOfDestinations'
    | 'closed'
    | 'matrix'
  /**
   * The group, in the form of its dimension: a date, or the first second of an hour (also for
   * unique scans); the ISO weekday times 24 plus the hour; a value of a column of a rollup; rule
   * and arm; the id of a code that is counted separately; or the number of a cell of a matrix.
   */
  value: string
  scans: number
  botScans: number
}

/** The figures from the scan store that analytics of a code and of an organization share. */
export type ScanFigures = Omit<QrCodeAnalytics, 'qrCodeId' | 'marks' | 'matrix' | 'destinations'>

/** A destination as the scan store knows it. The catalogue has the names of the rules. */
export type CountedDestination = Omit<AnalyticsDestination, 'name'>

/**
 * Converts the groups of all breakdowns to the figures of the API: sorted, with percentages, and
 * without gaps in time.
 */
export function scanFigures(
  period: Period & { interval: Interval },
  rows: readonly BreakdownRow[],
): ScanFigures {
  const groups = Map.groupBy(rows, ({ dimension }) => dimension)
  const timeline = timelineOf(period, groups.get('timeline') ?? [], groups.get('uniqueScans') ?? [])
  const totalScans = sum(timeline, ({ scans }) => scans)
  const days = daysOf(period)
  const share = (scans: number) => ({ scans, percentage: percentage(scans, totalScans) })
  const listed = (name: ListedDimension) =>
    ranked(listGroups(groups, name)).map((group) => ({
      value: group.value,
      country: group.country,
      ...share(group.scans),
    }))

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
      closedHits: sum(groups.get('closed') ?? [], ({ scans }) => scans),
    },
    timeline,
    ...(listsOf(listed) as Pick<ScanFigures, keyof typeof answeredLists>),
    hours: hoursOf(groups.get('hours') ?? []),
  }
}

/** Returns the separately counted codes that have scans, most scans first. */
export function rankedQrCodes(
  rows: readonly BreakdownRow[],
): { qrCodeId: string; scans: number; uniqueScans: number; percentage: number }[] {
  const of = (dimension: BreakdownRow['dimension']) => rows.filter((row) => row.dimension === dimension)
  const totalScans = sum(of('timeline'), ({ scans }) => scans)
  const uniqueScans = new Map(of('uniqueScansOfCodes').map(({ value, scans }) => [value, scans]))
  return ranked(of('qrCodes')).map(({ value, scans }) => ({
    qrCodeId: value,
    scans,
    uniqueScans: uniqueScans.get(value) ?? 0,
    percentage: percentage(scans, totalScans),
  }))
}

/** Returns the destinations that have scans, most scans first, with their shares of all scans. */
export function rankedDestinations(rows: readonly BreakdownRow[], totalScans: number): CountedDestination[] {
  const of = (dimension: BreakdownRow['dimension']) => rows.filter((row) => row.dimension === dimension)
  const uniqueScans = new Map(of('uniqueScansOfDestinations').map(({ value, scans }) => [value, scans]))
  return ranked(of('destination')).map(({ value, scans }) => {
    const [rule = '', arm = ''] = value.split('\n')
    return {
      ruleId: rule === '' ? null : rule,
      arm: arm === '' ? null : arm,
      scans,
      uniqueScans: uniqueScans.get(value) ?? 0,
      percentage: percentage(scans, totalScans),
    }
  })
}

/** Returns the destinations of a code that never had rules: its own data. */
export function ownDestination({ totalScans, uniqueScans }: ScanFigures['summary']): CountedDestination[] {
  if (totalScans === 0) return []
  return [{ ruleId: null, arm: null, scans: totalScans, uniqueScans, percentage: 100 }]
}

/**
 * Returns a percentage with one decimal. Multiplies first: 201 of 400 are 50.25 %, but 201 / 400 is
 * a little less in binary and would round down.
 */
export function percentage(scans: number, totalScans: number): number {
  return totalScans === 0 ? 0 : Math.round((1000 * scans) / totalScans) / 10
}

function timelineOf(
  period: Period & { interval: Interval },
  rows: readonly Group[],
  uniques: readonly Group[],
): ScanFigures['timeline'] {
  const days = daysOf(period)
  const scans = new Map(rows.map((row) => [row.value, row.scans]))
  const uniqueScans = new Map(uniques.map((row) => [row.value, row.scans]))
  const count = (bucket: string) => ({
    scans: scans.get(bucket) ?? 0,
    uniqueScans: uniqueScans.get(bucket) ?? 0,
  })
  const { interval, timezone, startMs, endMs } = period
  if (interval !== 'hour')
    return bucketDates(interval, days.first, days.last).map((date) => ({ date, ...count(date) }))
  return hourStarts(timezone, startMs, endMs).map((ms) => ({
    date: dateText(dayOf(timezone, ms)),
    start: new Date(ms).toISOString(),
    ...count(String(ms / 1000)),
  }))
}

/** A name and the number of scans that have it. */
type Group = { value: string; scans: number }

/**
 * Returns the values of a dimension, from the groups of the column that has it. All of a column are
 * summed up from the same groups, so their lists cannot differ. Only some have a country.
 */
function listGroups(
  groups: ReadonlyMap<BreakdownRow['dimension'], readonly BreakdownRow[]>,
  name: ListedDimension,
): (Group & { country: string })[] {
  const sums = new Map<string, Group & { country: string }>()
  for (const { value: text, scans } of groups.get(dimensionColumns[name].part.column) ?? []) {
    const value = rolledValue(name, text)
    const country = listOf(name).isOfCountry === true ? rolledValue('country', text) : ''
    const key = `${country}\n${value}`
    sums.set(key, { value, country, scans: (sums.get(key)?.scans ?? 0) + scans })
  }
  return [...sums.values()]
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

/** Sorts groups by scans, most first, and equal ones by name. Leaves out groups of bots only. */
function ranked<Row extends Group & { country?: string }>(rows: readonly Row[]): Row[] {
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
