import type { ScanFigures } from '../figures/figures.ts'
import type { Interval } from '../figures/calendar.ts'
import type { Period } from '../figures/period.ts'
import type { QrCodeAnalyticsOptions } from '../figures/queries.ts'
import type { ScanScope } from '../figures/scan-scope.ts'
import type { ScanRow } from '../insert/scan-row.ts'

/** A hit as the reference counts it. */
export type ReferenceHit = Pick<
  ScanRow,
  'timeMs' | 'qrCodeId' | 'country' | 'city' | 'deviceType' | 'os' | 'browser' | 'referrer'
> & { isBot: boolean; isUnique: boolean }

type ReferencePeriod = Period & { interval: Interval }

/**
 * Returns the hits in a scope of an organization, or of one of its codes, oldest first. All scans,
 * also those outside the period and the filters, decide which scan is a visitor's first.
 */
export function referenceHits(all: readonly ScanRow[], scope: ScanScope): (ScanRow & ReferenceHit)[] {
  const ofScope = all.filter(
    (row) =>
      row.organizationId === scope.organizationId &&
      (scope.qrCodeId === undefined || row.qrCodeId === scope.qrCodeId),
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
): ScanFigures & { qrCodeId: string } {
  return { qrCodeId: options.qrCodeId, ...referenceFigures(referenceHits(all, options), options) }
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
  const bucket = (date: string) => bucketOf(date, options.interval)
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
    },
    timeline: [...new Set(dates.map(bucket))].map((date) => {
      const inBucket = scansByBucket.get(date) ?? []
      return {
        date,
        scans: inBucket.length,
        uniqueScans: inBucket.filter((row) => row.isUnique).length,
      }
    }),
    geography: {
      countries: by((row) => row.country).map(({ value, count }) => ({ country: value, ...share(count) })),
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
    hours: by((row) => clock(row.timeMs).hour)
      .sort((a, b) => (a.value < b.value ? -1 : 1))
      .map(({ value, count }) => ({
        weekday: Number(value.slice(0, 1)),
        hour: Number(value.slice(1)),
        scans: count,
      })),
  }
}

/** Returns the first scan of each visitor of a code, by time and then by sequence. */
function firstScans(ofScope: readonly ScanRow[]): Set<ScanRow> {
  const humans = ofScope.filter((row) => row.class === 'human')
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

function matches(row: ScanRow, filters: ScanScope['filters']): boolean {
  return (['country', 'city', 'deviceType', 'os', 'browser', 'referrer'] as const).every((name) => {
    const wanted: readonly string[] = filters[name] ?? []
    return wanted.length === 0 || wanted.includes(row[name])
  })
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

function clockOf(timezone: string): (ms: number) => { date: string; hour: string } {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
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
    }
    clocks.set(`${timezone} ${ms}`, clock)
    return clock
  }
}

const clocks = new Map<string, { date: string; hour: string }>()

function bucketOf(date: string, interval: Interval): string {
  if (interval === 'month') return `${date.slice(0, 7)}-01`
  if (interval === 'day') return date
  let monday = new Date(date)
  while (monday.getUTCDay() !== 1) monday = new Date(monday.getTime() - 86_400_000)
  return monday.toISOString().slice(0, 10)
}
