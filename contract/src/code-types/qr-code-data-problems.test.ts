import assert from 'node:assert/strict'
import { test } from 'node:test'
import { destinationsOf, qrCodeDataProblems } from './qr-code-data-problems.ts'
import { codeType, qrCodeTypes, type QrCodeType } from './code-types.ts'
import { wifiEncryption } from './wifi.ts'

test('the examples of every type are accepted, also behind a prefix', () => {
  for (const type of qrCodeTypes) {
    const examples: unknown = Object.entries(codeType(type).schema).find(([key]) => key === 'examples')?.[1]
    assert.ok(Array.isArray(examples) && examples.length > 0, type)
    for (const example of examples) assert.deepEqual(qrCodeDataProblems(type, example, 'data'), [], type)
  }
})

const cases: readonly (readonly [type: QrCodeType, data: unknown, path: string, message: RegExp])[] = [
  ['URL', {}, 'data.url', /is required/],
  ['URL', { url: '' }, 'data.url', /must not be empty/],
  ['URL', { url: 5 }, 'data.url', /must be a string, got 5/],
  ['URL', { url: 'javascript:alert(1)' }, 'data.url', /must begin with http/],
  ['URL', { url: 'https://example.com', link: 'x' }, 'data.link', /is not a known field/],
  ['URL', null, 'data', /must be an object, got null/],
  ['URL', [], 'data', /must be an object, got an array/],
  ['URL', 'https://example.com', 'data', /must be an object, got "https/],
  ['URL', { url: 'x'.repeat(2049) }, 'data.url', /at most 2048 characters, got 2049/],
  ['PDF', { url: 'ftp://example.com' }, 'data.url', /must begin with http/],
  ['VIDEO', { url: 'x' }, 'data.url', /must begin with http/],
  ['VCARD', { firstName: 'Ada' }, 'data.lastName', /is required/],
  ['VCARD', { firstName: ' ', lastName: 'L' }, 'data.firstName', /must not be empty/],
  ['VCARD', { firstName: 'A', lastName: 'L\r\nTEL:1' }, 'data.lastName', /control characters/],
  ['VCARD', { firstName: 'A', lastName: 'L', email: 'nobody' }, 'data.email', /must be an e-mail address/],
  ['VCARD', { firstName: 'A', lastName: 'L', website: 'data:x' }, 'data.website', /must begin with http/],
  [
    'VCARD',
    { firstName: 'A', lastName: 'L', address: { town: 'x' } },
    'data.address.town',
    /is not a known field/,
  ],
  ['WIFI', { ssid: '' }, 'data.ssid', /must not be empty/],
  ['WIFI', { ssid: 'ü'.repeat(17) }, 'data.ssid', /at most 32 bytes in UTF-8, got 34/],
  [
    'WIFI',
    { ssid: 'x', encryption: 'WPA9' },
    'data.encryption',
    /must be one of "WPA", "WEP", "nopass", got "WPA9"/,
  ],
  ['WIFI', { ssid: 'x', hidden: 'yes' }, 'data.hidden', /must be true or false/],
  ['EMAIL', { email: 'a@b@c' }, 'data.email', /e-mail/],
  ['EMAIL', { email: 'a@b.c', subject: 'x\nBcc: y' }, 'data.subject', /one line/],
  ['SMS', { phone: 'call me' }, 'data.phone', /phone number/],
  ['PHONE', { phone: '' }, 'data.phone', /must not be empty/],
  ['PHONE', { phone: '++' }, 'data.phone', /phone number/],
  ['TEXT', { text: '' }, 'data.text', /must not be empty/],
  ['TEXT', { text: 'a\u0000b' }, 'data.text', /control characters/],
  ['MENU', {}, 'data', /must have "url", or "title" with "sections"/],
  ['MENU', { title: 'x' }, 'data.sections', /is required with "title"/],
  ['MENU', { sections: [{ name: 'x', items: [] }] }, 'data.title', /is required with "sections"/],
  ['MENU', { url: 'https://example.com', title: 'x' }, 'data', /not both/],
  [
    'MENU',
    { title: 'x', sections: [{ name: 'x', items: [{ name: '' }] }] },
    'data.sections[0].items[0].name',
    /empty/,
  ],
  ['APP', {}, 'data', /one at least of "iosUrl", "androidUrl" and "fallbackUrl"/],
  ['APP', { fallbackUrl: 'market://x' }, 'data.fallbackUrl', /must begin with http/],
  ['SOCIAL', { links: [] }, 'data.links', /must not be empty/],
  [
    'SOCIAL',
    {
      links: [
        { platform: 'x', url: 'https://x.com' },
        { platform: 'y', url: 'x:y' },
      ],
    },
    'data.links[1].url',
    /http/,
  ],
]

for (const [type, data, path, message] of cases) {
  test(`${type} ${JSON.stringify(data).slice(0, 60)}: ${path} ${message.source}`, () => {
    const problems = qrCodeDataProblems(type, data, 'data')
    assert.equal(problems.length, 1, JSON.stringify(problems))
    assert.equal(problems[0]?.path, path)
    assert.match(problems[0]?.message ?? '', message)
  })
}

test('every destination in the content is found', () => {
  assert.deepEqual(destinationsOf('APP', { iosUrl: 'a', fallbackUrl: 'b' }), [
    { path: 'iosUrl', url: 'a' },
    { path: 'fallbackUrl', url: 'b' },
  ])
  assert.deepEqual(destinationsOf('SOCIAL', { links: [{ url: 'a' }, null, { url: 'b' }] }, 'data'), [
    { path: 'data.links[0].url', url: 'a' },
    { path: 'data.links[2].url', url: 'b' },
  ])
  assert.deepEqual(destinationsOf('TEXT', { text: 'https://example.com' }), [])
})

test('a network with a password is WPA and one without is open, unless it says otherwise', () => {
  assert.equal(wifiEncryption({ ssid: 'x', password: 'y' }), 'WPA')
  assert.equal(wifiEncryption({ ssid: 'x' }), 'nopass')
  assert.equal(wifiEncryption({ ssid: 'x', password: '' }), 'nopass')
  assert.equal(wifiEncryption({ ssid: 'x', password: 'y', encryption: 'WEP' }), 'WEP')
})
