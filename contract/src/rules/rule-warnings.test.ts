import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ruleWarnings } from './rule-warnings.ts'
import type { Conditions } from './rules.ts'
import { commonRanges, restOfWeek, weekRanges } from './week-hours.ts'

const now = Date.parse('2026-03-02T12:00:00Z')
const timeZone = 'Europe/Berlin'
const warn = (...rules: (Conditions | undefined)[]) =>
  ruleWarnings(
    rules.map((when) => (when === undefined ? {} : { when })),
    now,
  ).map(({ index, ...warning }) => [index, ...Object.values(warning)])

test('a rule whose period is over has ended', () => {
  assert.deepEqual(warn({ endsAt: '2026-03-02T12:00:00Z' }), [[0, 'ended']])
  assert.deepEqual(warn({ endsAt: '2026-03-02T12:00:01Z' }), [])
})

test('a condition that its exceptions take back never holds', () => {
  const cases: [Conditions, string][] = [
    [{ countries: ['DE', 'AT'], not: { countries: ['AT', 'DE', 'CH'] } }, 'countries'],
    [{ languages: ['de-AT'], not: { languages: ['DE'] } }, 'languages'],
    [{ countries: ['AT'], regions: ['DE-BY'] }, 'regions'],
    [{ countries: ['AT'], cities: [{ country: 'DE', city: 'Munich' }] }, 'cities'],
    [{ visit: 'first', not: { visit: 'first' } }, 'visit'],
    [{ days: ['SA'], timeZone, not: { days: ['SA', 'SU'] } }, 'days'],
    [{ from: '12:00', to: '13:00', timeZone, not: { from: '11:00', to: '14:00' } }, 'from'],
  ]
  for (const [when, field] of cases) assert.deepEqual(warn(when), [[0, 'never', field]])
  assert.deepEqual(warn({ languages: ['de'], not: { languages: ['de-AT'] } }), [])
  assert.deepEqual(warn({ days: ['FR'], from: '22:00', to: '02:00', timeZone, not: { days: ['FR'] } }), [])
})

test('a rule is hidden by an earlier one that takes all of its visitors', () => {
  const lunch: Conditions = { days: ['MO', 'TU'], from: '11:00', to: '15:00', timeZone }
  const cases: [Conditions | undefined, Conditions | undefined][] = [
    [undefined, { countries: ['DE'] }],
    [{}, undefined],
    [{ countries: ['DE', 'AT'] }, { countries: ['DE'], devices: ['mobile'] }],
    [{ countries: ['DE'] }, { cities: [{ country: 'DE', city: 'Munich' }] }],
    [{ languages: ['de'] }, { languages: ['de-AT'] }],
    [lunch, { ...lunch, days: ['MO'], from: '12:00' }],
    [
      { from: '20:00', to: '04:00', timeZone },
      { days: ['SU'], from: '23:00', to: '03:00', timeZone },
    ],
    [{ query: { table: null } }, { query: { table: '7' } }],
    [{ startsAt: '2026-01-01T00:00:00Z' }, { countries: ['DE'] }],
    [{ not: { countries: ['DE'] } }, { countries: ['AT'] }],
    [{ not: { countries: ['DE'] } }, { not: { countries: ['DE', 'AT'] } }],
    [{ days: ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'], timeZone }, { countries: ['DE'] }],
  ]
  for (const [earlier, later] of cases)
    assert.deepEqual(warn(earlier, later), [[1, 'hidden', [0]]], JSON.stringify([earlier, later]))
  const open: [Conditions, Conditions | undefined][] = [
    [{ countries: ['DE'] }, undefined],
    [{ countries: ['DE'] }, { countries: ['DE', 'AT'] }],
    [{ languages: ['de-AT'] }, { languages: ['de'] }],
    [lunch, { ...lunch, timeZone: 'UTC' }],
    [lunch, { ...lunch, to: '16:00' }],
    [{ query: { table: '7' } }, { query: { table: null } }],
    [{ startsAt: '2026-04-01T00:00:00Z' }, { countries: ['DE'] }],
    [{ endsAt: '2026-04-01T00:00:00Z' }, undefined],
    [{ not: { countries: ['DE'] } }, { languages: ['de'] }],
    [{ not: { languages: ['de-AT'] } }, { languages: ['de'] }],
  ]
  for (const [earlier, later] of open)
    assert.deepEqual(warn(earlier, later), [], JSON.stringify([earlier, later]))
})

const on = (days: NonNullable<Conditions['days']>, more: Conditions = {}): Conditions => ({
  days,
  timeZone,
  ...more,
})

test('a rule is hidden by several that share a list, the week, or first and later visits', () => {
  const cases: Conditions[][] = [
    [{ countries: ['DE'] }, { countries: ['AT', 'CH'] }, { countries: ['AT', 'DE'], devices: ['mobile'] }],
    [{ languages: ['de'] }, { languages: ['en'] }, { languages: ['en-US', 'de-AT'] }],
    [{ visit: 'first' }, { visit: 'again' }, {}],
    [on(['MO', 'TU', 'WE', 'TH', 'FR']), on(['SA', 'SU']), {}],
    [
      on(['MO', 'TU']),
      on(['WE'], { from: '00:00', to: '12:00' }),
      on(['TU', 'WE'], { to: '11:00', from: '09:00' }),
    ],
    [{ os: ['iOS'], countries: ['DE'] }, { os: ['Android'] }, { os: ['Android', 'iOS'], countries: ['DE'] }],
  ]
  for (const rules of cases) assert.deepEqual(warn(...rules), [[2, 'hidden', [0, 1]]], JSON.stringify(rules))
  const open: Conditions[][] = [
    [{ countries: ['DE'] }, { countries: ['AT'] }, {}],
    [{ countries: ['DE'] }, { countries: ['AT'], devices: ['mobile'] }, { countries: ['AT', 'DE'] }],
    [{ devices: ['mobile'] }, { devices: ['tablet', 'desktop'] }, {}],
    [on(['MO', 'TU', 'WE', 'TH', 'FR']), { days: ['SA', 'SU'], timeZone: 'UTC' }, {}],
    [on(['MO']), on(['TU'], { from: '10:00', to: '12:00' }), on(['MO', 'TU'])],
    [{ visit: 'first' }, { visit: 'again', not: { countries: ['DE'] } }, {}],
  ]
  for (const rules of open) assert.deepEqual(warn(...rules), [], JSON.stringify(rules))
})

test('rules out of use, and those that never answer, hide nothing', () => {
  assert.deepEqual(ruleWarnings([{ enabled: false }, { when: {} }], now), [])
  assert.deepEqual(warn({ endsAt: '2026-01-01T00:00:00Z' }, { endsAt: '2026-01-01T00:00:00Z' }), [
    [0, 'ended'],
    [1, 'ended'],
  ])
  assert.deepEqual(ruleWarnings([{ when: { endsAt: '2026-01-01T00:00:00Z' } }, {}], now).length, 1)
})

test('hours over midnight belong to the day on which they begin, also on Sunday', () => {
  const hour = 60
  assert.deepEqual(weekRanges({ days: ['SU'], from: '22:00', to: '02:00' }), [
    { from: 0, to: 2 * hour },
    { from: 166 * hour, to: 168 * hour },
  ])
  assert.deepEqual(weekRanges({}), [{ from: 0, to: 168 * hour }])
  assert.deepEqual(weekRanges({ days: ['MO', 'TU'] }), [{ from: 0, to: 48 * hour }])
  const monday = weekRanges({ days: ['MO'], from: '09:00', to: '17:00' })
  assert.deepEqual(restOfWeek(monday), [
    { from: 0, to: 9 * hour },
    { from: 17 * hour, to: 168 * hour },
  ])
  assert.deepEqual(commonRanges(monday, weekRanges({ from: '16:00', to: '20:00' })), [
    { from: 16 * hour, to: 17 * hour },
  ])
})
