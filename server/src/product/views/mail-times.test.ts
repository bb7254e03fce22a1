import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextMailAtMs } from './mail-times.ts'

const next = (every: 'week' | 'month', timezone: string, from: string) =>
  new Date(nextMailAtMs(every, timezone, Date.parse(from))).toISOString().slice(0, 16)

test('a weekly mail is due on the next Monday at 07:00 by the clocks of its zone', () => {
  assert.equal(next('week', 'UTC', '2026-03-31T12:00Z'), '2026-04-06T07:00')
  assert.equal(next('week', 'UTC', '2026-04-06T06:59Z'), '2026-04-06T07:00')
  assert.equal(next('week', 'UTC', '2026-04-06T07:00Z'), '2026-04-13T07:00')
  // Summer time begins on 29 March.
  assert.equal(next('week', 'Europe/Berlin', '2026-03-23T05:00Z'), '2026-03-23T06:00')
  assert.equal(next('week', 'Europe/Berlin', '2026-03-23T06:00Z'), '2026-03-30T05:00')
  // It is Monday in Tokyo while it is Sunday in London.
  assert.equal(next('week', 'Asia/Tokyo', '2026-04-05T20:00Z'), '2026-04-05T22:00')
})

test('a monthly mail is due on the next first day', () => {
  assert.equal(next('month', 'UTC', '2026-03-31T12:00Z'), '2026-04-01T07:00')
  assert.equal(next('month', 'UTC', '2026-04-01T07:00Z'), '2026-05-01T07:00')
  assert.equal(next('month', 'America/New_York', '2026-12-01T12:00Z'), '2027-01-01T12:00')
})
