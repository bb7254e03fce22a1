import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { directPayload } from './direct-payload.ts'
import { runs } from './testing.ts'

const cases: readonly [name: string, payload: string | undefined, expected: string | undefined][] = [
  ['URL', directPayload('URL', { url: 'https://example.com/a?b#c' }), 'https://example.com/a?b#c'],
  ['PDF', directPayload('PDF', { url: 'https://example.com/a.pdf' }), 'https://example.com/a.pdf'],
  ['VIDEO', directPayload('VIDEO', { url: 'https://example.com/v' }), 'https://example.com/v'],
  ['MENU with an address', directPayload('MENU', { url: 'https://example.com/m' }), 'https://example.com/m'],
  ['MENU written out', directPayload('MENU', { title: 'Trattoria', sections: [] }), undefined],
  ['APP', directPayload('APP', { iosUrl: 'https://apps.apple.com/app/id1' }), undefined],
  ['SOCIAL', directPayload('SOCIAL', { links: [{ platform: 'x', url: 'https://x.com/a' }] }), undefined],
  ['TEXT', directPayload('TEXT', { text: 'Room 12\nat 9' }), 'Room 12\nat 9'],
  ['PHONE', directPayload('PHONE', { phone: '+49 (30) 12-34/56' }), 'tel:+4930123456'],
  ['PHONE with a service code', directPayload('PHONE', { phone: '*100#' }), 'tel:*100%23'],
  ['SMS', directPayload('SMS', { phone: '+49 30 1', message: 'Call: now' }), 'SMSTO:+49301:Call: now'],
  ['SMS without a message', directPayload('SMS', { phone: '12345' }), 'SMSTO:12345'],
  [
    'EMAIL',
    directPayload('EMAIL', { email: 'a+b@example.com', subject: 'Q&A: 50 %', body: 'a\nb' }),
    'mailto:a%2Bb@example.com?subject=Q%26A%3A%2050%20%25&body=a%0D%0Ab',
  ],
  ['EMAIL alone', directPayload('EMAIL', { email: 'a@example.com' }), 'mailto:a@example.com'],
  ['WIFI', directPayload('WIFI', { ssid: 'Guests', password: 'x-2026' }), 'WIFI:T:WPA;S:Guests;P:x-2026;;'],
  ['WIFI without a password', directPayload('WIFI', { ssid: 'Guests' }), 'WIFI:T:nopass;S:Guests;;'],
  [
    'WIFI, hidden, of digits',
    directPayload('WIFI', { ssid: 'cafe', password: '12345678', encryption: 'WEP', hidden: true }),
    'WIFI:T:WEP;S:cafe;P:12345678;H:true;;',
  ],
  [
    'VCARD',
    directPayload('VCARD', {
      firstName: 'Ada',
      lastName: 'King, Countess',
      phone: '+44 20 7946 0000',
      website: 'https://example.com/a,b;c',
      address: { city: 'London', zip: 'N1' },
      note: 'first\nsecond',
    }),
    [
      'BEGIN:VCARD',
      'VERSION:3.0',
      'N:King\\, Countess;Ada;;;',
      'FN:Ada King\\, Countess',
      'TEL:+44 20 7946 0000',
      'URL:https://example.com/a,b;c',
      'ADR:;;;London;;N1;',
      'NOTE:first\\nsecond',
      'END:VCARD',
      '',
    ].join('\r\n'),
  ],
]

for (const [name, payload, expected] of cases) {
  test(`direct payload: ${name}`, () => assert.equal(payload, expected))
}

const line = fc.string({
  unit: fc.constantFrom(...Array.from('aZ09\\;,:"\' äЖ漢🙂ß=')),
  minLength: 1,
  maxLength: 30,
})
const text = fc.string({ unit: fc.constantFrom(...Array.from('ab\\;,:"n\n é🙂')), maxLength: 60 })

test('WIFI: a reader of the form finds the name and the password that were written', () => {
  fc.assert(
    fc.property(line, line, fc.boolean(), (ssid, password, hidden) => {
      const payload = directPayload('WIFI', { ssid, password, hidden }) ?? ''
      const fields = new Map(
        readFields(payload.replace(/^WIFI:/, ''), ';').map((field) => splitOnce(field, ':')),
      )
      assert.equal(fields.get('T'), 'WPA')
      assert.equal(unescapeWifi(fields.get('S') ?? ''), ssid)
      assert.equal(unescapeWifi(fields.get('P') ?? ''), password)
      assert.equal(fields.get('H'), hidden ? 'true' : undefined)
    }),
    runs(500),
  )
})

test('VCARD: a reader of RFC 2426 finds every field that was written', () => {
  fc.assert(
    fc.property(line, line, line, line, text, (firstName, lastName, company, street, note) => {
      const data = { firstName, lastName, company, address: { street, country: company }, note }
      const payload = directPayload('VCARD', data) ?? ''
      assert.ok(payload.endsWith('\r\n'))
      const lines = payload.slice(0, -2).split('\r\n')
      assert.deepEqual([lines[0], lines[1], lines.at(-1)], ['BEGIN:VCARD', 'VERSION:3.0', 'END:VCARD'])
      const fields = new Map(lines.map((one) => splitOnce(one, ':')))
      assert.deepEqual(readFields(fields.get('N') ?? '', ';').map(unescapeVcard), [
        lastName,
        firstName,
        '',
        '',
        '',
      ])
      assert.equal(unescapeVcard(fields.get('FN') ?? ''), `${firstName} ${lastName}`)
      assert.equal(unescapeVcard(fields.get('ORG') ?? ''), company)
      assert.deepEqual(
        readFields(fields.get('ADR') ?? '', ';').map(unescapeVcard),
        ['', '', street].concat(['', '', '', company]),
      )
      assert.equal(unescapeVcard(fields.get('NOTE') ?? ''), note)
    }),
    runs(500),
  )
})

test('EMAIL: a URL parser finds address, subject and body that were written', () => {
  fc.assert(
    fc.property(fc.emailAddress(), line, text, (email, subject, body) => {
      const url = new URL(directPayload('EMAIL', { email, subject, body }) ?? '')
      assert.equal(decodeURIComponent(url.pathname), email)
      const fields = new Map(
        url.search
          .slice(1)
          .split('&')
          .map((field) => splitOnce(field, '=')),
      )
      assert.equal(decodeURIComponent(fields.get('subject') ?? ''), subject)
      assert.equal(decodeURIComponent(fields.get('body') ?? ''), body.replaceAll('\n', '\r\n'))
    }),
    runs(300),
  )
})

/** Splits where the separator stands without a backslash before it, one character after the other. */
function readFields(payload: string, separator: string): string[] {
  const fields = ['']
  for (let at = 0; at < payload.length; at++) {
    const character = payload[at] ?? ''
    if (character === separator) fields.push('')
    else fields[fields.length - 1] += character === '\\' ? character + (payload[++at] ?? '') : character
  }
  return fields
}

function splitOnce(field: string, separator: string): [string, string] {
  const at = field.indexOf(separator)
  return at < 0 ? [field, ''] : [field.slice(0, at), field.slice(at + 1)]
}

const unescapeWifi = (field: string) => field.replace(/\\(.)/gu, '$1')

const unescapeVcard = (field: string) =>
  field.replace(/\\(.)/gu, (_, character: string) => (character === 'n' ? '\n' : character))
