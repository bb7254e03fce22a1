import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listsOf, type AnsweredLists } from '@everscan/contract/dimensions/answered-lists.ts'
import type { DashboardLanguage } from '@everscan/contract/schema/dashboard-languages.ts'
import type { SharedView } from '@everscan/contract/views/views.ts'
import { viewMail } from './view-mail.ts'

const hostile = '<img src=x onerror="alert(1)"> & Co'
const noLists = listsOf(() => []) as Pick<SharedView, keyof AnsweredLists>
const view: SharedView = {
  name: hostile,
  organization: { name: 'Acme', logo: null },
  asOf: '2026-03-31T07:00:00.000Z',
  scope: { folder: hostile, tags: ['a', 'b'], filters: { country: ['DE'], os: ['!iOS'] } },
  days: { startDate: '2026-03-01', endDate: '2026-03-03' },
  timezone: 'UTC',
  interval: 'day',
  period: { start: '2026-03-01T00:00:00.000Z', end: '2026-03-03T23:59:59.999Z' },
  summary: { totalScans: 1_234, uniqueScans: 1_000, avgDailyScans: 411.3, botScans: 7, closedHits: 0 },
  timeline: [
    { date: '2026-03-01', scans: 0, uniqueScans: 0 },
    { date: '2026-03-02', scans: 1_000, uniqueScans: 900 },
    { date: '2026-03-03', scans: 234, uniqueScans: 100 },
  ],
  ...noLists,
  geography: {
    countries: [
      { country: 'DE', scans: 1_000, percentage: 81 },
      { country: 'XX', scans: 234, percentage: 19 },
    ],
    cities: [{ city: 'Berlin', country: 'DE', scans: 1_000 }],
    regions: [],
  },
  devices: { types: [{ type: 'mobile', scans: 1_234, percentage: 100 }], os: [], browsers: [] },
  hours: [],
  marks: [],
  topQrCodes: [{ name: hostile, type: 'URL', scans: 1_234, uniqueScans: 1_000, percentage: 100 }],
}
const around = {
  language: 'en',
  every: 'week',
  setUpBy: hostile,
  url: 'https://qr.example.com/app/share/abc',
  isPublic: true,
  leaveUrl: 'https://qr.example.com/app/mails/v1.x',
} as const

/** A mail with ordinary spaces: ranges of dates have narrow ones. */
const plain = ({ subject, text }: { subject: string; text: string }) => ({
  subject: subject.replaceAll('\u2009', ' '),
  text: text.replaceAll('\u2009', ' '),
})

test('the text of a mail has its period, scope, figures, links and how to end it', () => {
  const { subject, text } = plain(viewMail(view, around))
  assert.equal(subject, `${hostile}: 1,234 scans, 1 – 3 Mar 2026`)
  for (const part of [
    'Acme · 1 – 3 Mar 2026\n',
    `Folder: ${hostile}\nTags: a, b\nCountry: Germany\nOperating system: not iOS\n`,
    'Scans: 1,234\nUnique scans: 1,000\nScans per day: 411.3\n',
    'Scans over time\n  1 Mar: 0 (0%)\n  2 Mar: 1,000 (81%)\n  3 Mar: 234 (19%)\n',
    'Countries\n  Germany: 1,000 (81%)\n  Unknown: 234 (19%)\n',
    'Devices\n  Phone: 1,234 (100%)\n',
    `Open these figures:\n${around.url}\n`,
    `${hostile} of Acme set up this mail. It comes every week.\n`,
    `${around.leaveUrl}\n`,
  ])
    assert.ok(text.includes(part), `${part}\n---\n${text}`)
})

test('the HTML of a mail runs and loads nothing, whatever the names are', () => {
  const { html } = viewMail(view, around)
  assert.doesNotMatch(html, /<(script|img|link|iframe|style)|<[^>]*\s(src|on\w+)=|url\(/i)
  assert.equal(html.split('&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; Co').length - 1, 5)
  assert.ok(html.includes(`href="${around.url}"`) && html.includes(`href="${around.leaveUrl}"`))
  // A day without scans has no bar; that of the third day is about a quarter of the longest.
  assert.deepEqual(
    [...html.matchAll(/<td width="(\d+)%" bgcolor/g)].slice(0, 2).map(([, width]) => width),
    ['100', '23'],
  )
})

test('a mail about a code with rules has its destinations', () => {
  const counted = { scans: 600, uniqueScans: 500, percentage: 48.6 }
  const { text } = viewMail(
    {
      ...view,
      scope: { qrCode: 'Window', filters: { rule: ['!Lunch'], arm: ['A'] } },
      destinations: [
        { name: 'Test', arm: 'A', ...counted },
        { name: null, arm: null, ...counted },
      ],
    },
    around,
  )
  assert.ok(text.includes('Destinations\n  Test · A: 600 (48.6%)\n  No rule: 600 (48.6%)\n'), text)
  assert.ok(text.includes('Code: Window\nRule: not Lunch\nVariant: A\n'), text)
  assert.ok(!viewMail(view, around).text.includes('Destinations'))
})

test('a mail without scans says so, and one of a long period has no timeline', () => {
  const empty = { ...view, summary: { ...view.summary, totalScans: 0 } }
  assert.match(viewMail(empty, around).html, /No scans in this period/)
  const bucket = { date: '2026-03-01', scans: 1, uniqueScans: 1 }
  const long = { ...view, timeline: Array.from({ length: 32 }, () => bucket) }
  assert.ok(!viewMail(long, around).text.includes('Scans over time'))
  assert.ok(viewMail(view, { ...around, isPublic: false }).text.includes('you need an account'))
})

test('numbers, days, countries, plurals and words are those of the language', () => {
  const figures = {
    ...view,
    name: 'Plakate',
    scope: { ...view.scope, folder: 'Sommer', type: 'MENU' as const },
  }
  const said = (language: DashboardLanguage, totalScans = 1_234) => {
    const summary = { ...view.summary, totalScans }
    const mail = viewMail({ ...figures, summary }, { ...around, language, setUpBy: 'Ada' })
    return { ...plain(mail), html: mail.html }
  }
  const german = said('de')
  assert.equal(german.subject, 'Plakate: 1.234 Scans, 01.–03.03.2026')
  for (const part of [
    'Ordner: Sommer\nSchlagwörter: a, b\nTyp: Speisekarte\nLand: Deutschland\nBetriebssystem: nicht iOS\n',
    'Eindeutige Scans: 1.000\nScans pro Tag: 411,3\n',
    'Scans im Zeitverlauf\n  1. März: 0 (0\u00a0%)\n',
    'Länder\n  Deutschland: 1.000 (81\u00a0%)\n  Unbekannt: 234 (19\u00a0%)\n',
    'Ada von Acme hat diese E-Mail eingerichtet. Sie kommt jede Woche.\n',
  ])
    assert.ok(german.text.includes(part), `${part}\n---\n${german.text}`)
  assert.ok(german.html.includes('<html lang="de">') && german.html.includes('>Diese E-Mails abbestellen<'))
  assert.match(said('fr').text, /\n {2}Allemagne\u00a0: 1\u202f000 \(81[\u00a0\u202f]%\)\n/)
  assert.match(said('es').text, /\nPaíses\n {2}Alemania: 1000 \(81\u00a0%\)\n {2}Desconocido: /)
  const scans = (language: DashboardLanguage) =>
    [0, 1, 2].map((count) => /[:] (\d [A-Za-z]+),/.exec(said(language, count).subject)?.[1])
  assert.deepEqual(scans('en'), ['0 scans', '1 scan', '2 scans'])
  assert.deepEqual(scans('de'), ['0 Scans', '1 Scan', '2 Scans'])
  assert.deepEqual(scans('fr'), ['0 scan', '1 scan', '2 scans'])
  assert.deepEqual(scans('es'), ['0 escaneos', '1 escaneo', '2 escaneos'])
})

test('filters and folders are named as the dashboard names them', () => {
  const scope = {
    folder: '',
    qrCodes: 1_500,
    filters: {
      country: ['!DE', 'XX'],
      deviceType: ['!mobile' as const],
      city: ['Unknown', '\\!Xàbia'],
      referrer: [''],
      rule: ['none', '!Unknown rule'],
      arm: [''],
    },
  }
  const { text } = viewMail({ ...view, scope }, around)
  for (const line of [
    'A deleted folder',
    'Selected codes: 1,500',
    'Country: not Germany, Unknown',
    'City: Unknown, !Xàbia',
    'Device: not Phone',
    'Referrer: Camera or typed in',
    'Rule: none, not Unknown rule',
    'Variant: none',
  ])
    assert.ok(text.includes(`\n${line}\n`), `${line}\n---\n${text}`)
  const destinations = [{ name: 'Unknown rule', arm: null, scans: 1, uniqueScans: 1, percentage: 100 }]
  const german = viewMail({ ...view, scope, destinations }, { ...around, language: 'de' })
  assert.ok(german.text.includes('\nRegel: keine, nicht Unbekannte Regel\n'), german.text)
  assert.ok(german.text.includes('\n  Unbekannte Regel: 1 ('), german.text)
  const unfiled = viewMail({ ...view, scope: { folder: null, filters: {} } }, around)
  assert.ok(unfiled.text.includes('\nCodes without a folder\n'))
})
