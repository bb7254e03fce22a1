import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Conditions } from '@everscan/contract/rules/rules.ts'
import { sharesOf, whenSentence, zoneCity } from './rule-sentences.ts'

const names = {
  country: (code: string) => ({ DE: 'Germany', AT: 'Austria' })[code] ?? code,
  language: (tag: string) => ({ de: 'German' })[tag] ?? tag,
  moment: (iso: string) => iso.slice(0, 10),
}

test('conditions are a sentence', () => {
  const timeZone = 'Europe/Berlin'
  const cases: [Conditions, string][] = [
    [{}, 'Always'],
    [{ timeZone }, 'Always'],
    [
      { days: ['MO', 'TU', 'WE', 'TH', 'FR'], from: '11:00', to: '15:00', timeZone },
      'On weekdays from 11:00 to 15:00, in Berlin time',
    ],
    [{ days: ['SU', 'SA'], timeZone }, 'On weekends, in Berlin time'],
    [{ days: ['FR', 'MO', 'TU'], timeZone }, 'On Mon, Tue and Fri, in Berlin time'],
    [{ countries: ['DE', 'AT'], languages: ['de'] }, 'In Germany or Austria, for visitors who read German'],
    [{ countries: ['A1', 'A2', 'A3', 'A4', 'A5'] }, 'In A1, A2, A3 and 2 more'],
    [{ devices: ['mobile', 'tablet'], os: ['iOS'] }, 'On phones or tablets, with iOS'],
    [{ query: { table: '7', bar: null } }, 'With table=7 and bar in the link'],
    [{ visit: 'first' }, 'On the first visit'],
    [
      { startsAt: '2026-03-01T00:00:00Z', endsAt: '2026-04-01T00:00:00Z' },
      'From 2026-03-01 until 2026-04-01',
    ],
    [
      { timeZone, not: { countries: ['DE'], from: '12:00', to: '13:00' } },
      'But not from 12:00 to 13:00, in Berlin time, but not in Germany',
    ],
  ]
  for (const [when, expected] of cases) assert.equal(whenSentence(when, names), expected)
  assert.equal(zoneCity('America/New_York'), 'New York')
})

test('shares add up to 100', () => {
  assert.deepEqual(sharesOf([70, 30]), [70, 30])
  assert.deepEqual(sharesOf([1, 1, 1]), [34, 33, 33])
  assert.deepEqual(sharesOf([0, 0]), [0, 0])
  assert.deepEqual(sharesOf([1, Number.NaN]), [100, 0])
})
