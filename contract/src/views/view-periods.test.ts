import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countDays, daysOfPeriod, intervalOfDays, viewPeriods, type ViewPeriod } from './view-periods.ts'

const since = '2025-06-15'
const days = (period: ViewPeriod, today: string) => {
  const { startDate, endDate } = daysOfPeriod(period, { today, since })
  return `${startDate} ${endDate}`
}

test('each period has its days, also at the ends of months and years', () => {
  const today = '2026-03-31'
  assert.deepEqual(
    viewPeriods.map((period) => days(period, today)),
    [
      '2026-03-31 2026-03-31',
      '2026-03-30 2026-03-30',
      '2026-03-25 2026-03-31',
      '2026-03-30 2026-03-31',
      '2026-03-23 2026-03-29',
      '2026-03-01 2026-03-31',
      '2026-02-01 2026-02-28',
      '2026-03-02 2026-03-31',
      '2026-01-01 2026-03-31',
      '2026-01-01 2026-03-31',
      '2025-01-01 2025-12-31',
      '2025-04-01 2026-03-31',
      '2025-06-15 2026-03-31',
    ],
  )
  assert.equal(days('last-month', '2026-01-01'), '2025-12-01 2025-12-31')
  assert.equal(days('last-month', '2028-03-01'), '2028-02-01 2028-02-29')
  assert.equal(days('last-12-months', '2024-02-29'), '2023-03-01 2024-02-29')
  assert.equal(days('this-week', '2026-03-29'), '2026-03-23 2026-03-29')
  assert.equal(days('all', '2025-01-01'), '2025-01-01 2025-01-01')
})

test('the interval follows from the number of days', () => {
  assert.equal(countDays({ startDate: '2026-03-01', endDate: '2026-03-31' }), 31)
  assert.deepEqual([1, 2, 3, 100, 101, 400, 401].map(intervalOfDays), [
    'hour',
    'hour',
    'day',
    'day',
    'week',
    'week',
    'month',
  ])
})
