import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scanHints, type RawScan } from '../journal/raw-scan.ts'
import { unknownPlace } from '../visitors/geography/geography.ts'
import { rowOf, steps } from './steps.ts'

const berlin = { country: 'DE', city: 'Berlin', region: 'Berlin', latitude: 52.5, longitude: 13.4 }
const places = { locate: (network: string) => (network === '203.0.113.0' ? berlin : unknownPlace) }
const frame = { writer: 'ab'.repeat(16), sequence: 7 }
const scan: RawScan = {
  timeMs: Date.UTC(2026, 2, 1, 9, 30),
  organizationId: 'org_1',
  qrCodeId: 'qr_1',
  shortCode: '7K3QX9A',
  domain: 'go.example.com',
  rule: 'rul_1',
  arm: 'B',
  visitor: 'ab'.repeat(16),
  network: '203.0.113.0',
  userAgent:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  referrerHost: 'l.instagram.com',
  language: 'de-DE,de;q=0.9',
  app: '',
  hints: 0,
}
const row = {
  organizationId: 'org_1',
  qrCodeId: 'qr_1',
  shortCode: '7K3QX9A',
  domain: 'go.example.com',
  rule: 'rul_1',
  arm: 'B',
  timeMs: Date.UTC(2026, 2, 1, 9, 30),
  ...frame,
  visitor: 'ab'.repeat(16),
  class: 'human',
  botReason: '',
  ...berlin,
  deviceType: 'mobile',
  os: 'iOS',
  browser: 'Safari',
  referrer: 'instagram.com',
  language: 'de-DE',
}

test('the steps run in the documented order', () => {
  assert.deepEqual(
    steps.map(({ name }) => name),
    ['malformed', 'class', 'user agent', 'geography', 'referrer', 'language'],
  )
})

const cases: readonly (readonly [promise: string, change: Partial<RawScan>, expected: object])[] = [
  ['a phone’s scan has all its fields', {}, row],
  ['no network is an unknown place', { network: '' }, { ...row, ...unknownPlace }],
  ['no referrer is direct', { referrerHost: '' }, { ...row, referrer: '' }],
  ['a named app replaces a common browser', { app: 'Brave' }, { ...row, browser: 'Brave' }],
  [
    'a desktop that says it is Android is a tablet',
    { userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/131.0.0.0 Safari/537.36', hints: scanHints.android },
    { ...row, deviceType: 'tablet', os: 'Android', browser: 'Chrome' },
  ],
  ['no language is empty', { language: '*' }, { ...row, language: '' }],
  [
    'a prefetch retains its device',
    { hints: scanHints.prefetch },
    { ...row, class: 'prefetch', botReason: 'Prefetch' },
  ],
  [
    'a person who found the code closed is no scan of its owner',
    { hints: scanHints.closed },
    { ...row, organizationId: `${row.organizationId}-closed`, class: 'bot', botReason: 'Closed' },
  ],
  [
    'a program that found the code closed is one as always',
    { hints: scanHints.closed | scanHints.preview },
    { ...row, class: 'preview', botReason: 'Preview' },
  ],
  [
    'a preview is not a bot',
    { hints: scanHints.preview },
    { ...row, class: 'preview', botReason: 'Preview' },
  ],
  [
    'no user agent is a bot',
    { userAgent: '' },
    {
      ...row,
      class: 'bot',
      botReason: 'No user agent',
      deviceType: 'desktop',
      os: 'Unknown',
      browser: 'Unknown',
    },
  ],
  ['a time before 2000 is dropped', { timeMs: 0 }, { dropped: 'time' }],
  ['a time after 2099 is dropped', { timeMs: 2 ** 48 - 1 }, { dropped: 'time' }],
  ['a time that is not a number is dropped', { timeMs: Number.NaN }, { dropped: 'time' }],
  ['an empty organization is dropped', { organizationId: '' }, { dropped: 'ids' }],
  ['a code that is not an id is dropped', { qrCodeId: "qr'\t1" }, { dropped: 'ids' }],
  ['a visitor of another length is dropped', { visitor: 'ab'.repeat(8) }, { dropped: 'visitor' }],
]
for (const [promise, change, expected] of cases) {
  test(promise, () => assert.deepEqual(rowOf({ ...scan, ...change }, frame, places), expected))
}

test('equal scans give equal rows at any time', () => {
  assert.deepEqual(rowOf(scan, frame, places), rowOf({ ...scan }, frame, places))
})
