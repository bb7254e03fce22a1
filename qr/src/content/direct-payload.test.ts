import assert from 'node:assert/strict'
import { test } from 'node:test'
import { directPayload } from './direct-payload.ts'

const cases: readonly [name: string, payload: string | undefined, expected: string | undefined][] = [
  ['URL', directPayload('URL', { url: 'https://example.com/a?b#c' }), 'https://example.com/a?b#c'],
  ['PDF', directPayload('PDF', { url: 'https://example.com/a.pdf' }), 'https://example.com/a.pdf'],
  ['VIDEO', directPayload('VIDEO', { url: 'https://example.com/v' }), 'https://example.com/v'],
  ['MENU with an address', directPayload('MENU', { url: 'https://example.com/m' }), 'https://example.com/m'],
  ['MENU with sections', directPayload('MENU', { title: 'Trattoria', sections: [] }), undefined],
  ['APP', directPayload('APP', { iosUrl: 'https://apps.apple.com/app/id1' }), undefined],
  ['SOCIAL', directPayload('SOCIAL', { links: [{ platform: 'x', url: 'https://x.com/a' }] }), undefined],
  ['TEXT', directPayload('TEXT', { text: 'Room 12\nat 9' }), 'Room 12\nat 9'],
  ['PHONE', directPayload('PHONE', { phone: '+49 (30) 12-34/56' }), 'tel:+4930123456'],
  ['PHONE with a service code', directPayload('PHONE', { phone: '*100#' }), 'tel:*100%23'],
  ['SMS', directPayload('SMS', { phone: '+49 30 1', message: 'Call: now' }), 'SMSTO:+49301:Call: now'],
  ['SMS to a service code', directPayload('SMS', { phone: '*100#' }), 'SMSTO:*100#'],
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
    'WIFI, hidden, with a password of digits',
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
