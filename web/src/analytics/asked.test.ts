import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { askedOf, marksByPoint, pointsOf, queryOf } from './asked.ts'
import { readAnalyticsSearch } from './analytics-search.ts'
import { clockTime, datesBefore, daysIn, isDate } from './periods.ts'
import { stepsUpTo } from '../ui/scales.ts'

const nowMs = Date.parse('2026-03-29T22:30:00Z')
const since = '2026-02-27T23:30:00.000Z'
const asked = (search: Record<string, unknown>) =>
  askedOf(readAnalyticsSearch({ timezone: 'Europe/Berlin', ...search }), since, nowMs)
const intervalOf = (search: Record<string, unknown>) => asked(search).interval

/** Returns the index of the point at which a mark of a day is shown. */
const markedPoint = (dates: readonly string[], date: string, interval: 'hour' | 'day' | 'week' | 'month') =>
  [
    ...marksByPoint(
      [{ date, kind: 'visitor-key' }],
      dates.map((one) => ({ date: one, scans: 0 })),
      interval,
    ).keys(),
  ].join()

describe('what an address of analytics asks for', () => {
  test('periods end today, and begin and end by the clocks of the time zone', () => {
    const days = (period: string) => Object.values(asked({ period }).dates)
    assert.deepEqual(days('today'), ['2026-03-30', '2026-03-30'])
    assert.deepEqual(days('7d'), ['2026-03-24', '2026-03-30'])
    assert.deepEqual(days('30d'), ['2026-03-01', '2026-03-30'])
    assert.deepEqual(days('12m'), ['2025-03-31', '2026-03-30'])
    assert.deepEqual(days('all'), ['2026-02-28', '2026-03-30'])
    assert.deepEqual(Object.values(asked({ timezone: 'UTC' }).dates), ['2026-02-28', '2026-03-29'])
  })

  test('beside a period stand as many days right before it, unless it is all there is', () => {
    assert.deepEqual(asked({}).before, { startDate: '2026-01-30', endDate: '2026-02-28' })
    for (const period of ['today', '7d', '90d', '12m']) {
      const { dates, before = dates } = asked({ period })
      assert.equal(daysIn(before), daysIn(dates))
    }
    assert.deepEqual(datesBefore({ startDate: '2024-03-01', endDate: '2024-03-01' }), {
      startDate: '2024-02-29',
      endDate: '2024-02-29',
    })
    assert.equal(asked({ period: 'all' }).before, undefined)
    assert.equal(asked({ compare: false }).before, undefined)
    assert.equal(asked({ period: 'own', from: '1970-01-01', to: '2026-01-01' }).before, undefined)
  })

  test('there is always an interval, and one that does not fit is another', () => {
    assert.equal(intervalOf({ period: 'today' }), 'hour')
    assert.equal(intervalOf({}), 'day')
    assert.equal(intervalOf({ period: '12m' }), 'week')
    assert.equal(intervalOf({ period: 'own', from: '2010-01-01', to: '2026-01-01' }), 'month')
    assert.equal(intervalOf({ interval: 'week' }), 'week')
    assert.equal(intervalOf({ interval: 'hour' }), 'day')
    for (let days = 1; days < 3000; days += days < 500 ? 1 : 50) {
      const to = new Date(Date.UTC(2020, 0, days)).toISOString().slice(0, 10)
      const { interval: found, intervals } = asked({ period: 'own', from: '2020-01-01', to })
      assert.ok(intervals.includes(found), `${days} days by ${found}`)
    }
  })

  test('hours are those of the days that were asked for, without those to come', () => {
    const week = asked({ period: '7d', interval: 'hour' })
    // The first day is Tuesday, 24 March. The current time is Monday, 30 March, 00:30.
    const hours = [
      { weekday: 1, hour: 0, scans: 3 },
      { weekday: 2, hour: 23, scans: 5 },
    ]
    const points = pointsOf({ timeline: [], hours }, { dates: week.dates, asked: week, nowMs })
    assert.equal(points.length, 6 * 24 + 1)
    assert.deepEqual(
      points.filter(({ scans }) => scans > 0),
      [
        { date: '2026-03-24T23', scans: 5 },
        { date: '2026-03-30T00', scans: 3 },
      ],
    )
    // The API has no hourly interval, so the query is by the day.
    assert.equal(queryOf({}, week, week.dates).interval, 'day')
  })

  test('a mark stands at the point whose days have it; before the first point, and by the hour, at none', () => {
    assert.equal(markedPoint(['2026-03-01', '2026-03-02', '2026-03-03'], '2026-03-02', 'day'), '1')
    assert.equal(markedPoint(['2026-03-02', '2026-03-09', '2026-03-16'], '2026-03-15', 'week'), '1')
    assert.equal(markedPoint(['2026-02-01', '2026-03-01'], '2026-03-31', 'month'), '1')
    assert.equal(markedPoint(['2026-03-01'], '2026-02-28', 'day'), '-1')
    assert.equal(markedPoint(['2026-03-01T00', '2026-03-01T01'], '2026-03-01', 'hour'), '')
  })

  test('what is not understood is left out, and nothing of it reaches the interface', () => {
    const read = readAnalyticsSearch({
      period: 'own',
      from: '2026-02-30',
      to: '2026-03-01',
      timezone: 'Mars/Olympus',
      interval: 'minute',
      page: '1e9.5',
      country: ['DE', 'Germany', 'DE', 7],
      deviceType: 'fridge',
      os: ['', 'x'.repeat(256), 'iOS'],
      referrer: '',
      city: Array.from({ length: 60 }, (_, at) => `City ${at}`),
      browser: { a: 1 },
    })
    const { city, ...rest } = Object.fromEntries(
      Object.entries(read).filter(([, value]) => value !== undefined),
    )
    assert.deepEqual(rest, { country: ['DE'], os: ['iOS'], referrer: [''] })
    assert.equal((city as string[]).length, 50)
    const turned = readAnalyticsSearch({ period: 'own', from: '2026-03-02', to: '2026-03-01' })
    assert.deepEqual([turned.period, turned.from], [undefined, undefined])
  })
})

test('clocks are read as ISO 8601, midnight as 00', () => {
  assert.equal(clockTime('Europe/Berlin', Date.parse('2026-03-29T22:00:00Z')), '2026-03-30T00:00:00')
  assert.equal(clockTime('Asia/Kathmandu', Date.parse('2026-01-01T00:00:00Z')), '2026-01-01T05:45:00')
})

test('days are those of the calendar, in the years that the interface takes', () => {
  const good = ['1970-01-01', '2024-02-29', '2099-12-31']
  const bad = ['1969-12-31', '2023-02-29', '2100-01-01', '2026-1-1', '2026-01-01T00:00', '', 20260101]
  assert.deepEqual(
    good.filter((one) => !isDate(one)),
    [],
  )
  assert.deepEqual(
    bad.filter((one) => isDate(one)),
    [],
  )
})

test('the lines of a chart are few, even, round, and reach over everything', () => {
  for (let highest = 1; highest < 100_000; highest = Math.ceil(highest * 1.3)) {
    const steps = stepsUpTo(highest)
    assert.ok(steps.length >= 2 && steps.length <= 5, `${highest}: ${steps.join()}`)
    assert.ok((steps.at(-1) ?? 0) >= highest)
    assert.match(String(steps[1]), /^(1|2|5)0*$/)
  }
})
