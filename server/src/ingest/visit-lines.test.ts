import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readArchivedScan, type ArchivedScan } from '../analytics/insert/archived-scans.ts'
import { nobody } from '../analytics/store/first-scans.ts'
import { lineOfVisit, type Visit } from './visit-lines.ts'

const nowMs = Date.UTC(2026, 0)
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1'
const visit: Visit = { qrCodeId: `qr_${'0'.repeat(26)}`, shortCode: 'aB/c.d_~', timeMs: Date.UTC(2025, 0) }

function rowOf(more: Partial<Visit> = {}): ArchivedScan & { isScan: boolean } {
  const { line, isScan } = lineOfVisit({ ...visit, ...more })
  const row = readArchivedScan(line, nowMs)
  if ('problem' in row) assert.fail(row.problem)
  return { ...row, isScan }
}

test('a visit is a line of an archive, of nobody, with the device that its user agent says', () => {
  const row = rowOf({ userAgent: phone, referrer: 'm.facebook.com', country: 'DE', city: 'Berlin' })
  assert.deepEqual(
    [row.visitor, row.class, row.isScan, row.deviceType, row.os, row.browser],
    [nobody, 'human', true, 'mobile', 'iOS', 'Safari'],
  )
  assert.deepEqual([row.referrer, row.country, row.city, row.region], ['facebook.com', 'DE', 'Berlin', ''])
  assert.deepEqual([row.shortCode, row.timeMs, row.isClosed], ['aB/c.d_~', visit.timeMs, false])
})

test('unknown is a person with an unknown device at an unknown place', () => {
  const row = rowOf({ city: 'Berlin', region: 'Berlin' })
  assert.deepEqual([row.class, row.os, row.browser], ['human', 'Unknown', 'Unknown'])
  assert.deepEqual([row.country, row.city, row.region], ['XX', 'Unknown', ''])
})

test('crawlers, previews and bots of the product are no scans', () => {
  const kinds = [
    { userAgent: 'Googlebot/2.1 (+http://www.google.com/bot.html)' },
    { userAgent: 'WhatsApp/2.23.20.0' },
    { userAgent: phone, isBot: true },
    { isBot: true },
  ] as const
  const rows = kinds.map((more) => rowOf(more))
  assert.deepEqual(
    rows.map((row) => [row.class, row.isScan]),
    [
      ['bot', false],
      ['preview', false],
      ['bot', false],
      ['bot', false],
    ],
  )
  assert.ok(rows.every(({ botReason }) => botReason !== ''))
})
