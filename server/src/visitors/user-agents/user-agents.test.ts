import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scanHints } from '../../journal/raw-scan.ts'
import { classify } from './bots.ts'
import { oldPhonesAndApps } from './testing/known-apps.ts'
import { desktops, tablets } from './testing/known-computers.ts'
import { android, type KnownDevice } from './testing/known-devices.ts'
import { phones } from './testing/known-phones.ts'
import { deviceOf } from './user-agents.ts'

const corpora = { phones, oldPhonesAndApps, tablets, desktops }

for (const [name, corpus] of Object.entries(corpora)) {
  for (const known of corpus)
    test(`${name}: ${known[1]}, ${known[2]}, ${known[3]}: ${known[0].slice(0, 500)}`, () => reads(known))
}

function reads([userAgent, deviceType, os, browser]: KnownDevice) {
  assert.deepEqual(deviceOf(userAgent), { deviceType, os, browser })
  assert.deepEqual(classify(userAgent, 0), { class: 'human', botReason: '' })
}

test('the corpus has at least 120 strings', () => {
  assert.ok(
    new Set(Object.values(corpora).flatMap((corpus) => corpus.map(([userAgent]) => userAgent))).size >= 120,
  )
})

const model = android('13; SM-A536B; wv', 'Version/4.0 Chrome/131.0.0.0 Mobile Safari/537.36')
const chromeBook =
  'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36'
const desktopPage = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36'
const { android: isAndroid, phone, tablet } = scanHints

for (const [promise, userAgent, told, expected] of [
  ['an app in any WebView', model, { app: 'WhatsApp', hints: 0 }, 'mobile Android WhatsApp'],
  ['a brand hidden by Chrome', desktopPage, { app: 'Brave', hints: 0 }, 'desktop Linux Brave'],
  [
    'an app that the user agent names',
    `${model} Instagram 335.0`,
    { app: 'Android WebView', hints: 0 },
    'mobile Android Instagram',
  ],
  ['a tablet in desktop mode', desktopPage, { app: '', hints: isAndroid }, 'tablet Android Chrome'],
  ['a phone in desktop mode', desktopPage, { app: '', hints: isAndroid | phone }, 'mobile Android Chrome'],
  [
    'a tablet with pages for phones',
    model,
    { app: '', hints: isAndroid | tablet | phone },
    'tablet Android Android WebView',
  ],
  [
    'a folding phone',
    android('10; K', 'Chrome/131.0.0.0 Safari/537.36'),
    { app: '', hints: isAndroid | phone },
    'mobile Android Chrome',
  ],
  [
    'a tablet by its model',
    android('13; SM-X710', 'Chrome/131.0.0.0 Mobile Safari/537.36'),
    { app: '', hints: isAndroid | phone },
    'tablet Android Chrome',
  ],
  ['another system', chromeBook, { app: '', hints: phone }, 'desktop ChromeOS Chrome'],
] as const)
  test(`other headers tell: ${promise}`, () => {
    const { deviceType, os, browser } = deviceOf(userAgent, told)
    assert.equal(`${deviceType} ${os} ${browser}`, expected)
  })

test('no signal at all is an unknown system and browser on a desktop', () => {
  for (const userAgent of ['', ' ', 'x', '\u0000\u0001', '🙂', 'constructor', '__proto__']) {
    assert.deepEqual(deviceOf(userAgent), { deviceType: 'desktop', os: 'Unknown', browser: 'Unknown' })
  }
})

test('made-up names are never displayed, nor other parts of the user agent', () => {
  const shown = new Set<string>()
  for (let n = 0; n < 1000; n++) {
    const device = deviceOf(
      `Mozilla/5.0 (Made Up ${n}) AppleWebKit/1 Tizenoka${n} Browser/${n} iron${n}/1 oviBrowser/${n}`,
    )
    shown.add(`${device.os} ${device.browser}`)
  }
  assert.ok(shown.size <= 2, [...shown].join(', '))
})

test('hostile strings of any length take under 5 ms each', () => {
  const pieces = [
    'Mozilla/5.0 (',
    'Linux; Android 13; ',
    'iPhone ',
    'Version/4.0 ',
    'a',
    ' ',
    '; Pad',
    'Safari',
    '((((',
    ';;;;',
    'version/',
    'tablet ',
    'Macintosh',
    'OS ',
    'X11; Linux',
    'naver(1',
    '1.1.1.',
  ]
  const hostile = [
    ...pieces.map((piece) => piece.repeat(100_000 / piece.length)),
    ...pieces.flatMap((a) => pieces.map((b) => (a + b).repeat(60))),
  ]
  deviceOf('warm up')
  let slowestMs = 0
  for (const userAgent of hostile) {
    const start = process.cpuUsage()
    deviceOf(userAgent)
    classify(userAgent, 0)
    const { user, system } = process.cpuUsage(start)
    slowestMs = Math.max(slowestMs, (user + system) / 1000)
  }
  // CPU time, including the threads of the garbage collector: the limit is 5 ms on an idle machine.
  assert.ok(slowestMs < 25, `${slowestMs} ms`)
})
