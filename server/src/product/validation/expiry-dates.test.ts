import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expiryMs } from './expiry-dates.ts'

const iso = (text: string) => {
  const timeMs = expiryMs(text)
  return timeMs === undefined ? undefined : new Date(timeMs).toISOString()
}

test('a date means the first moment of the next day in UTC', () => {
  assert.equal(iso('2027-12-31'), '2028-01-01T00:00:00.000Z')
  assert.equal(iso('2028-02-28'), '2028-02-29T00:00:00.000Z')
  assert.equal(iso('9999-12-30'), '9999-12-31T00:00:00.000Z')
})

test('a time means itself', () => {
  assert.equal(iso('2027-12-31T18:00:00Z'), '2027-12-31T18:00:00.000Z')
  assert.equal(iso('2027-12-31t18:00:00.5z'), '2027-12-31T18:00:00.500Z')
  assert.equal(iso('2027-12-31T18:00:00-05:00'), '2027-12-31T23:00:00.000Z')
})

test('undefined for days and times that do not exist or have five digits of years', () => {
  for (const text of [
    '2027-02-29',
    '2027-13-01',
    '2027-00-10',
    '2027-04-31T00:00:00Z',
    '2027-04-30T25:00:00Z',
    '2016-12-31T23:59:60Z',
    '9999-12-31',
    '9999-12-31T23:00:00-01:00',
  ])
    assert.equal(iso(text), undefined, text)
})
