import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { askedOf, marksByPoint, pointsOf, queryOf } from './asked.ts'
import type { Interval, QrCodeAnalytics } from '@everscan/contract/resources/analytics.ts'
import { readAnalyticsSearch } from './analytics-search.ts'
import { countDays, viewPeriods } from '@everscan/contract/views/view-periods.ts'
import { clockTime, datesBefore, isDate } from './periods.ts'
import { stepsUpTo } from '../ui/scales.ts'

const nowMs = Date.parse('2026-03-29T22:30:00Z')
const since = '2026-02-27T23:30:00.000Z'
const asked = (search: Record<string, unknown>) =>
  askedOf(readAnalyticsSearch({ timezone: 'Europe/Berlin', ...search }), since, nowMs)
const intervalOf = (search: Record<string, unknown>) => asked(search).interval

const bucket = (date: string, start?: string) => ({
  date,
  ...(start !== undefined && { start }),
  scans: 3,
  uniqueScans: 1,
})

/** Returns the index of the point at which a mark of a day is shown. */
const markedPoint = (dates: readonly string[], date: string, interval: 'hour' | 'day' | 'week' | 'month') =>
  [
    ...marksByPoint(
      [{ date, kind: 'visitor-key' }],
      dates.map((one) => ({ date: one })),
      interval,
    ).keys(),
  ].join()

describe('what an address of analytics asks for', () => {
  test('periods are those that people say, by the clocks of the time zone', () => {
    const days = (period: string) => Object.values(asked({ period }).dates)
    // It is Monday, 30 March.
    assert.deepEqual(days('today'), ['2026-03-30', '2026-03-30'])
    assert.deepEqual(days('yesterday'), ['2026-03-29', '2026-03-29'])
    assert.deepEqual(days('last-7-days'), ['2026-03-24', '2026-03-30'])
    assert.deepEqual(days('this-week'), ['2026-03-30', '2026-03-30'])
    assert.deepEqual(days('last-week'), ['2026-03-23', '2026-03-29'])
    assert.deepEqual(days('this-month'), ['2026-03-01', '2026-03-30'])
    assert.deepEqual(days('last-month'), ['2026-02-01', '2026-02-28'])
    assert.deepEqual(days('last-30-days'), ['2026-03-01', '2026-03-30'])
    assert.deepEqual(days('last-90-days'), ['2025-12-31', '2026-03-30'])
    assert.deepEqual(days('this-year'), ['2026-01-01', '2026-03-30'])
    assert.deepEqual(days('last-year'), ['2025-01-01', '2025-12-31'])
    assert.deepEqual(days('last-12-months'), ['2025-03-31', '2026-03-30'])
    assert.deepEqual(days('all'), ['2026-02-28', '2026-03-30'])
    // Links of earlier versions.
    assert.deepEqual(days('7d'), days('last-7-days'))
    assert.deepEqual(days('12m'), days('last-12-months'))
    assert.deepEqual(Object.values(asked({ timezone: 'UTC' }).dates), ['2026-02-28', '2026-03-29'])
  })

  test('beside a period stand as many days right before it, unless it is all there is', () => {
    assert.deepEqual(asked({}).before, { startDate: '2026-01-30', endDate: '2026-02-28' })
    for (const period of viewPeriods.filter((one) => one !== 'all')) {
      const { dates, before = dates } = asked({ period })
      assert.equal(countDays(before), countDays(dates))
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
    assert.equal(intervalOf({ period: 'last-12-months' }), 'week')
    assert.equal(intervalOf({ period: 'last-30-days', interval: 'hour' }), 'hour')
    assert.equal(intervalOf({ period: 'own', from: '2010-01-01', to: '2026-01-01' }), 'month')
    assert.equal(intervalOf({ interval: 'week' }), 'week')
    assert.equal(intervalOf({ period: 'last-90-days', interval: 'hour' }), 'day')
    for (let days = 1; days < 3000; days += days < 500 ? 1 : 50) {
      const to = new Date(Date.UTC(2020, 0, days)).toISOString().slice(0, 10)
      const { interval: found, intervals } = asked({ period: 'own', from: '2020-01-01', to })
      assert.ok(intervals.includes(found), `${days} days by ${found}`)
    }
  })

  test('points are the buckets until now; the one that is not over is marked', () => {
    const shown = (interval: Interval, timeline: QrCodeAnalytics['timeline'], at = nowMs) =>
      pointsOf({ timeline }, { asked: { ...asked({}), interval }, nowMs: at }).map(({ date, isSoFar }) => [
        date,
        isSoFar,
      ])
    assert.deepEqual(
      shown(
        'day',
        ['2026-03-29', '2026-03-30', '2026-03-31'].map((day) => bucket(day)),
      ),
      [
        ['2026-03-29', false],
        ['2026-03-30', true],
      ],
    )
    assert.deepEqual(
      shown(
        'week',
        ['2026-03-23', '2026-03-30'].map((day) => bucket(day)),
      ),
      [
        ['2026-03-23', false],
        ['2026-03-30', true],
      ],
    )
    assert.deepEqual(
      shown(
        'month',
        ['2026-02-01', '2026-03-01', '2026-04-01'].map((day) => bucket(day)),
      ),
      [
        ['2026-02-01', false],
        ['2026-03-01', true],
      ],
    )
    // A past period has no bucket that is not over.
    assert.deepEqual(shown('week', [bucket('2026-03-16')]), [['2026-03-16', false]])
    const hours = [
      bucket('2026-03-29', '2026-03-29T21:00:00.000Z'),
      bucket('2026-03-30', '2026-03-29T22:00:00.000Z'),
      bucket('2026-03-30', '2026-03-29T23:00:00.000Z'),
    ]
    assert.deepEqual(shown('hour', hours), [
      ['2026-03-29T23', false],
      ['2026-03-30T00', true],
    ])
    assert.equal(queryOf({}, asked({ period: 'today' }), asked({}).dates).interval, 'hour')
  })

  test('a mark stands at the point whose days have it; before the first point, by the hour at its first', () => {
    assert.equal(markedPoint(['2026-03-01', '2026-03-02', '2026-03-03'], '2026-03-02', 'day'), '1')
    assert.equal(markedPoint(['2026-03-02', '2026-03-09', '2026-03-16'], '2026-03-15', 'week'), '1')
    assert.equal(markedPoint(['2026-02-01', '2026-03-01'], '2026-03-31', 'month'), '1')
    assert.equal(markedPoint(['2026-03-01'], '2026-02-28', 'day'), '-1')
    assert.equal(markedPoint(['2026-02-28T23', '2026-03-01T00', '2026-03-01T01'], '2026-03-01', 'hour'), '1')
    assert.equal(markedPoint(['2026-03-01T00'], '2026-02-28', 'hour'), '-1')
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
      region: '!',
      deviceType: ['fridge', '!fridge'],
      os: ['', 'x'.repeat(256), 'iOS'],
      referrer: '',
      city: Array.from({ length: 60 }, (_, at) => `City ${at}`),
      browser: { a: 1 },
      folder: '../x',
      tags: ['', 'x'.repeat(51), { a: 1 }],
      type: 'FAX',
      ids: 'a b,;',
      selection: '../x',
      matrix: 'code,code',
      sort: 'color',
      order: 'up',
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
