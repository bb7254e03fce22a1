import {
  filterDimensions,
  type Dimension,
  type MatrixDimension,
} from '@everscan/contract/dimensions/dimensions.ts'
import type { CountedDestination, ScanFigures } from '../figures/figures.ts'
import type { Interval } from '../figures/calendar.ts'
import type { Period } from '../figures/period.ts'
import type { CountedCode, QrCodeAnalyticsOptions, ScanMatrix, ScanScope } from '../scan-store.ts'
import { nobody } from '../store/first-scans.ts'
import type { ScanRow } from '../insert/scan-row.ts'

/** A hit as the reference counts it. */
export type ReferenceHit = Pick<
  ScanRow,
  | 'timeMs'
  | 'qrCodeId'
  | 'country'
  | 'region'
  | 'city'
  | 'deviceType'
  | 'os'
  | 'browser'
  | 'referrer'
  | 'language'
> & { isBot: boolean; isUnique: boolean }

type ReferencePeriod = Period & { interval: Interval }

/**
 * Returns the hits in a scope of an organization, or of one of its codes, oldest first. All scans,
 * also those outside the period and the filters, decide which scan is a visitor's first.
 */
export function referenceHits(
  all: readonly ScanRow[],
  scope: Omit<ScanScope, 'selection'>,
  /** Default: all codes. */
  selected?: readonly string[],
): (ScanRow & ReferenceHit)[] {
  const ofScope = all.filter(
    (row) =>
      row.organizationId === scope.organizationId &&
      (scope.qrCodeId === undefined || row.qrCodeId === scope.qrCodeId) &&
      (selected === undefined || selected.includes(row.qrCodeId)),
  )
  const first = firstScans(ofScope)
  return ofScope
    .filter((row) => row.timeMs >= scope.startMs && row.timeMs < scope.endMs && matches(row, scope.filters))
    .map((row) => ({ ...row, isBot: row.class !== 'human', isUnique: first.has(row) }))
    .sort(
      (a, b) =>
        a.timeMs - b.timeMs || compare(a.writer, b.writer) || Number(BigInt(a.sequence) - BigInt(b.sequence)),
    )
}

/**
 * Returns the result that `qrCodeAnalytics` must give. The reference follows only the words of the
 * interface: one list of scans, one loop per figure, nothing shared with the code under test.
 */
export function referenceAnalytics(
  all: readonly ScanRow[],
  options: QrCodeAnalyticsOptions,
): ScanFigures & { qrCodeId: string; destinations: CountedDestination[] } {
  const hits = referenceHits(all, options)
  const { qrCodeId } = options
  return { qrCodeId, ...referenceFigures(hits, options), destinations: referenceDestinations(hits) }
}

/** Returns scans by the rule and arm that answered them. */
export function referenceDestinations(
  hits: readonly Pick<ScanRow & ReferenceHit, 'rule' | 'arm' | 'isBot' | 'isUnique'>[],
): CountedDestination[] {
  const scans = hits.filter((hit) => !hit.isBot)
  return [...Map.groupBy(scans, ({ rule, arm }) => `${rule} / ${arm}`)]
    .sort((a, b) => b[1].length - a[1].length || compare(a[0], b[0]))
    .map(([, rows]) => ({
      ruleId: rows[0]?.rule || null,
      arm: rows[0]?.arm || null,
      scans: rows.length,
      uniqueScans: rows.filter((row) => row.isUnique).length,
      percentage: Math.round((1000 * rows.length) / scans.length) / 10,
    }))
}

/** Returns the codes with the most scans among some hits. */
export function referenceTopQrCodes(hits: readonly ReferenceHit[], ids: readonly string[]) {
  const scans = hits.filter((hit) => !hit.isBot)
  return ids
    .map((qrCodeId) => ({ qrCodeId, rows: scans.filter((row) => row.qrCodeId === qrCodeId) }))
    .filter(({ rows }) => rows.length > 0)
    .sort((a, b) => b.rows.length - a.rows.length || compare(a.qrCodeId, b.qrCodeId))
    .slice(0, 10)
    .map(({ qrCodeId, rows }) => ({
      qrCodeId,
      scans: rows.length,
      uniqueScans: rows.filter((row) => row.isUnique).length,
      percentage: Math.round((1000 * rows.length) / scans.length) / 10,
    }))
}

/**
 * Returns the figures that analytics of a code and of an organization share, for some hits of a
 * period.
 */
export function referenceFigures(hits: readonly ReferenceHit[], options: ReferencePeriod): ScanFigures {
  const scans = hits.filter((row) => !row.isBot)
  const clock = clockOf(options.timezone)
  const dates: string[] = []
  for (let ms = options.startMs; ms < options.endMs; ms += 6 * 3_600_000) dates.push(clock(ms).date)
  dates.push(clock(options.endMs - 1).date)
  const { interval } = options
  const bucket = (date: string) => (interval === 'hour' ? date : bucketOf(date, interval))
  const scansByBucket = Map.groupBy(scans, (row) => bucket(clock(row.timeMs).date))
  const share = (count: number) => ({
    scans: count,
    percentage: scans.length === 0 ? 0 : Math.round((1000 * count) / scans.length) / 10,
  })
  const by = (name: (row: ReferenceHit) => string) =>
    [...Map.groupBy(scans, name)]
      .map(([value, rows]) => ({ value, count: rows.length, rows }))
      .sort((a, b) => b.count - a.count || compare(a.value, b.value))

  return {
    period: {
      start: new Date(options.startMs).toISOString(),
      end: new Date(options.endMs - 1).toISOString(),
    },
    summary: {
      totalScans: scans.length,
      uniqueScans: scans.filter((row) => row.isUnique).length,
      avgDailyScans: Math.round((10 * scans.length) / new Set(dates).size) / 10,
      botScans: hits.length - scans.length,
      closedHits: 0,
    },
    timeline:
      interval === 'hour'
        ? hourly(scans, options)
        : [...new Set(dates.map(bucket))].map((date) => ({
            date,
            ...counted(scansByBucket.get(date) ?? []),
          })),
    geography: {
      countries: by((row) => row.country).map(({ value, count }) => ({ country: value, ...share(count) })),
      regions: by((row) => `${regionOf(row)}\n${row.country}`).map(({ rows: [row], count }) => ({
        region: row === undefined ? '' : regionOf(row),
        country: row?.country ?? '',
        ...share(count),
      })),
      cities: by((row) => `${row.city}\n${row.country}`).map(({ rows: [row], count }) => ({
        city: row?.city ?? '',
        country: row?.country ?? '',
        scans: count,
      })),
    },
    devices: {
      types: by((row) => row.deviceType).map(({ rows: [row], count }) => ({
        type: row?.deviceType ?? 'mobile',
        ...share(count),
      })),
      os: by((row) => row.os).map(({ value, count }) => ({ os: value, ...share(count) })),
      browsers: by((row) => row.browser).map(({ value, count }) => ({ browser: value, ...share(count) })),
    },
    referrers: by((row) => row.referrer).map(({ value, count }) => ({ referrer: value, ...share(count) })),
    languages: by(languageOf).map(({ value, count }) => ({ language: value, ...share(count) })),
    hours: by((row) => clock(row.timeMs).hour)
      .sort((a, b) => (a.value < b.value ? -1 : 1))
      .map(({ value, count }) => ({
        weekday: Number(value.slice(0, 1)),
        hour: Number(value.slice(1)),
        scans: count,
      })),
  }
}

/** Returns the first scan of each known visitor of a code, by time and then by sequence. */
export function firstScans(ofScope: readonly ScanRow[]): Set<ScanRow> {
  const humans = ofScope.filter((row) => row.class === 'human' && row.visitor !== nobody)
  const first = new Map<string, ScanRow>()
  for (const row of humans) {
    const visitor = `${row.qrCodeId} ${row.visitor}`
    const known = first.get(visitor)
    const earlier = known === undefined || row.timeMs < known.timeMs
    const sameTime = row.timeMs === known?.timeMs
    if (earlier || (sameTime && row.sequence < known.sequence)) first.set(visitor, row)
  }
  return new Set(first.values())
}

function regionOf({ region }: Pick<ScanRow, 'region'>): string {
  return region === '' ? 'Unknown' : region
}

/** Tells the language of a tag: `de` of `de-AT`. */
function languageOf({ language }: Pick<ScanRow, 'language'>): string {
  return language.split('-')[0] || 'Unknown'
}

function counted(rows: readonly ReferenceHit[]): { scans: number; uniqueScans: number } {
  return { scans: rows.length, uniqueScans: rows.filter((row) => row.isUnique).length }
}

/**
 * Walks through a period minute by minute, as clocks show it. A new bucket begins with each hour,
 * and whenever the clocks do not show the next minute.
 */
function hourly(scans: readonly ReferenceHit[], { startMs, endMs, timezone }: Period) {
  const clock = clockOf(timezone)
  const minuteMs = 60_000
  const shown = (ms: number) => clock(ms).minutes
  let from = Math.floor(startMs / minuteMs) * minuteMs
  while (shown(from) % 60 !== 0 && shown(from - minuteMs) === shown(from) - 1) from -= minuteMs
  const starts: number[] = []
  for (let ms = from; ms < endMs; ms += minuteMs)
    if (ms === from || shown(ms) % 60 === 0 || shown(ms) !== shown(ms - minuteMs) + 1) starts.push(ms)
  return starts.map((ms, index) => ({
    date: clock(ms).date,
    start: new Date(ms).toISOString(),
    ...counted(
      scans.filter((row) => row.timeMs >= ms && row.timeMs < (starts[index + 1] ?? Number.POSITIVE_INFINITY)),
    ),
  }))
}

type Valued = Omit<ReferenceHit, 'isBot' | 'isUnique'> & Pick<ScanRow, 'rule' | 'arm'>

const valueOf: Readonly<Record<Dimension, (row: Valued) => string>> = {
  code: (row) => row.qrCodeId,
  country: (row) => row.country,
  region: regionOf,
  city: (row) => row.city,
  deviceType: (row) => row.deviceType,
  os: (row) => row.os,
  browser: (row) => row.browser,
  referrer: (row) => row.referrer,
  language: languageOf,
  rule: (row) => row.rule || 'none',
  arm: (row) => row.arm,
}

/** Returns the values of a dimension among the scans of some hits, most scans first. */
export function valuesOf(dimension: Dimension, hits: readonly (Valued & ReferenceHit)[]): string[] {
  const scans = hits.filter((hit) => !hit.isBot)
  return [...Map.groupBy(scans, valueOf[dimension])]
    .sort((a, b) => b[1].length - a[1].length || compare(a[0], b[0]))
    .map(([value]) => value)
}

/** Returns the matrix of some hits by two dimensions. */
export function referenceMatrix(
  hits: readonly (Valued & ReferenceHit)[],
  [row, column]: readonly [MatrixDimension, MatrixDimension],
): ScanMatrix {
  const scans = hits.filter((hit) => !hit.isBot)
  const side = (dimension: MatrixDimension) => valuesOf(dimension, hits).slice(0, 50)
  const [rows, columns] = [side(row), side(column)]
  const cells = rows.map((rowValue) =>
    columns.map(
      (columnValue) =>
        scans.filter((hit) => valueOf[row](hit) === rowValue && valueOf[column](hit) === columnValue).length,
    ),
  )
  const shown = cells.flat().reduce((sum, count) => sum + count, 0)
  return { rows, columns, scans: cells, other: scans.length - shown }
}

/** Returns the rows of the table of codes, most scans first, for hits of a period and before it. */
export function referenceCodes(
  hits: readonly ReferenceHit[],
  hitsBefore: readonly ReferenceHit[],
  ids: readonly string[],
): CountedCode[] {
  const ofAll = hits.filter((hit) => !hit.isBot).length
  return ids
    .map((qrCodeId) => {
      const own = (of: readonly ReferenceHit[]) =>
        counted(of.filter((hit) => !hit.isBot && hit.qrCodeId === qrCodeId))
      const previousScans = own(hitsBefore).scans
      const { scans, uniqueScans } = own(hits)
      return {
        qrCodeId,
        scans,
        uniqueScans,
        percentage: ofAll === 0 ? 0 : Math.round((1000 * scans) / ofAll) / 10,
        previousScans,
        change:
          previousScans === 0 ? null : Math.round((1000 * (scans - previousScans)) / previousScans) / 10,
      }
    })
    .sort((a, b) => b.scans - a.scans || compare(a.qrCodeId, b.qrCodeId))
}

function matches(row: Valued, filters: ScanScope['filters']): boolean {
  return filterDimensions.every((name) => {
    const value = valueOf[name](row)
    const given: readonly string[] = filters[name] ?? []
    const wanted = given.filter((one) => one[0] !== '!')
    const meant = wanted.map((one) => (one.slice(0, 2) === '\\!' ? one.slice(1) : one))
    return (wanted.length === 0 || meant.includes(value)) && !given.includes(`!${value}`)
  })
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

type Clock = { date: string; hour: string; /** Since 1970, as clocks show them. */ minutes: number }

function clockOf(timezone: string): (ms: number) => Clock {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    weekday: 'short',
    hourCycle: 'h23',
  })
  const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
  return (ms) => {
    const known = clocks.get(`${timezone} ${ms}`)
    if (known !== undefined) return known
    const part = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]))
    const clock = {
      date: `${part['year']}-${part['month']}-${part['day']}`,
      hour: `${weekdays.indexOf(part['weekday'] ?? '') + 1}${part['hour']}`,
      minutes:
        Date.UTC(
          Number(part['year']),
          Number(part['month']) - 1,
          Number(part['day']),
          Number(part['hour']),
          Number(part['minute']),
        ) / 60_000,
    }
    clocks.set(`${timezone} ${ms}`, clock)
    return clock
  }
}

const clocks = new Map<string, Clock>()

function bucketOf(date: string, interval: Exclude<Interval, 'hour'>): string {
  if (interval === 'month') return `${date.slice(0, 7)}-01`
  if (interval === 'day') return date
  let monday = new Date(date)
  while (monday.getUTCDay() !== 1) monday = new Date(monday.getTime() - 86_400_000)
  return monday.toISOString().slice(0, 10)
}
