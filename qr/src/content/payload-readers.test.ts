import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { VcardData } from '@everscan/contract/code-types/vcard.ts'
import * as fc from 'fast-check'
import ICAL from 'ical.js'
import { directPayload } from './direct-payload.ts'
import { smsHref } from './hrefs.ts'
import { readMailto, readSmsto, readVcardComponents, readZxingField } from './testing/payload-readers.ts'
import { runs } from '../testing/pictures.ts'
import { foldLines } from './vcards.ts'

/**
 * Characters that break encoders: all kinds of separators, escapes, several scripts, emoji of
 * several code points, marks.
 */
const characters = [...Array.from('aZ09\\;,:"\'%&?#=+<> äЖ漢ßע🙂'), '👩‍👩‍👧', 'é', '\u202e', '\ufeffa']
const line = fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength: 40 })
const text = fc.string({ unit: fc.constantFrom(...characters, '\n', '\\n', '\t'), maxLength: 120 })
const phone = fc.stringMatching(/^\+?[0-9][0-9 ()./*#,;-]{0,20}$/)

test('WIFI: a reader of the format finds every field that was written', () => {
  fc.assert(
    fc.property(
      line,
      line,
      fc.boolean(),
      fc.constantFrom('WPA', 'WEP'),
      (ssid, password, hidden, encryption) => {
        const payload = directPayload('WIFI', { ssid, password, hidden, encryption }) ?? ''
        const field = (name: string) => readZxingField(payload, 'WIFI:', name)
        assert.deepEqual(
          { ssid: field('S'), password: field('P'), encryption: field('T'), hidden: field('H') },
          { ssid, password, encryption, hidden: hidden ? 'true' : undefined },
        )
        const open = directPayload('WIFI', { ssid }) ?? ''
        assert.equal(readZxingField(open, 'WIFI:', 'S'), ssid)
        assert.equal(readZxingField(open, 'WIFI:', 'P'), undefined)
      },
    ),
    runs(2_500),
  )
})

const card: fc.Arbitrary<VcardData> = fc.record({
  firstName: line,
  lastName: line,
  email: line,
  phone,
  company: line,
  title: line,
  address: fc.record({ street: line, city: line, state: line, zip: line, country: line }),
  website: fc.webUrl(),
  note: text.map((note) => `n${note}`),
})

test('VCARD: a vCard parser finds every field that was written, in a picture and in a folded file', () => {
  fc.assert(
    fc.property(card, (data) => {
      const payload = directPayload('VCARD', data) ?? ''
      const file = foldLines(payload)
      for (const one of file.split('\r\n')) assert.ok(Buffer.byteLength(one) <= 75, one)
      for (const written of [payload, file]) {
        const parsed = fieldsOf(written)
        for (const [name, components] of Object.entries(componentsOf(data))) {
          assert.deepEqual(readVcardComponents(payload, name), components)
          // The parser keeps the backslash of an escaped semicolon, although RFC 2426 requires the
          // escape. It also reads a backslash at the end of a component as an escape.
          if (components.some((one) => one.includes(';') || one.endsWith('\\'))) continue
          assert.deepEqual([parsed(name)].flat(), components, name)
        }
        assert.equal(parsed('URL'), data.website)
      }
    }),
    runs(2_500),
  )
})

/** Returns the expected components of each property of the card. */
function componentsOf(data: VcardData): Record<string, string[]> {
  const { firstName, lastName, email = '', phone: number = '', company = '', title = '', note = '' } = data
  const { street = '', city = '', state = '', zip = '', country = '' } = data.address ?? {}
  return {
    N: [lastName, firstName, '', '', ''],
    FN: [`${firstName} ${lastName}`],
    ADR: ['', '', street, city, state, zip, country],
    EMAIL: [email],
    TEL: [number],
    ORG: [company],
    TITLE: [title],
    NOTE: [note],
  }
}

function fieldsOf(vcard: string): (name: string) => unknown {
  const parsed = new ICAL.Component(ICAL.parse(vcard) as [string, never[], never[]])
  assert.equal(parsed.getFirstPropertyValue('version'), '3.0')
  return (name) => parsed.getFirstPropertyValue(name.toLowerCase())
}

test('EMAIL: an RFC 6068 reader finds the address, subject and body that were written', () => {
  fc.assert(
    fc.property(line, line, line, text, (local, host, subject, body) => {
      const email = `${local}@${host}`
      const payload = directPayload('EMAIL', { email, subject, body: `b${body}` }) ?? ''
      assert.match(payload, /^[\x21-\x7e]*$/)
      const read = readMailto(payload)
      assert.equal(read?.address, email)
      assert.equal(read.fields.get('subject'), subject)
      assert.equal(read.fields.get('body'), `b${body}`.replaceAll('\n', '\r\n'))
      assert.equal(read.fields.size, 2)
    }),
    runs(2_500),
  )
})

test('SMS: a picture and a link hold the number and the text; PHONE: the number', () => {
  fc.assert(
    fc.property(phone, text, (number, message) => {
      const dialed = number.replace(/[^0-9+*#,;]/g, '')
      const payload = directPayload('SMS', { phone: number, message }) ?? ''
      assert.deepEqual(readSmsto(payload), { number: dialed, text: message })
      const tel = directPayload('PHONE', { phone: number }) ?? ''
      assert.equal(decodeURIComponent(tel), `tel:${dialed}`)
      assert.doesNotMatch(tel, /[#?&% ](?!23)/)
      for (const [system, mark] of [
        ['ios', '&'],
        ['other', '?'],
      ] as const) {
        const href = smsHref({ phone: number, message: `b${message}` }, system)
        const [head, body] = href.split(`${mark}body=`)
        assert.equal(decodeURIComponent(head ?? ''), `sms:${dialed}`)
        assert.equal(decodeURIComponent(body ?? ''), `b${message}`)
      }
    }),
    runs(2_500),
  )
})

test('neither half a surrogate pair nor control characters break a payload', () => {
  const broken = 'a\ud800b\u0000c'
  const contact = { firstName: broken, lastName: broken, website: `https://a.example/\r\nTEL:1${broken}` }
  const payload = directPayload('VCARD', contact) ?? ''
  assert.equal(fieldsOf(payload)('tel'), null)
  assert.equal(fieldsOf(payload)('fn'), 'a\ufffdbc a\ufffdbc')
  assert.match(directPayload('EMAIL', { email: `${broken}@b`, subject: broken }) ?? '', /^mailto:a%EF%BF%BDb/)
  assert.match(smsHref({ phone: broken, message: broken }, 'other'), /^sms:a%EF%BF%BDb/)
})
