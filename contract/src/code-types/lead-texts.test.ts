import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeTypes, qrCodeTypes } from './code-types.ts'
import { leadTexts } from './lead-texts.ts'

test('every type says where it leads, with every address that phones are sent to', () => {
  for (const type of qrCodeTypes)
    for (const example of (codeTypes[type].schema as { examples?: Record<string, unknown>[] }).examples ??
      []) {
      const texts = leadTexts(type, example)
      assert.ok(texts.length > 0, type)
      for (const { url } of codeTypes[type].destinations(example, 'data'))
        if (typeof url === 'string') assert.ok(texts.includes(url), `${type}: ${url}`)
    }
})

test('says nothing of a password or a message', () => {
  assert.deepEqual(leadTexts('WIFI', { ssid: 'Guests', password: 'secret-2026' }), ['Guests'])
  assert.deepEqual(leadTexts('SMS', { phone: '+49 30 1', message: 'secret' }), ['+49 30 1'])
  assert.deepEqual(leadTexts('EMAIL', { email: 'a@example.com', body: 'secret' }), ['a@example.com'])
})

test('takes the beginning of a text, without half a character', () => {
  assert.deepEqual(leadTexts('TEXT', { text: '👍'.repeat(200) }), ['👍'.repeat(100)])
})

test('content of a later release has no texts, rather than an error', () => {
  assert.deepEqual(leadTexts('SOCIAL', { links: 'none', title: 5 }), ['5'])
  assert.deepEqual(leadTexts('URL', {}), [])
})
