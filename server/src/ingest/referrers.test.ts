import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageOf } from '../visitors/geography/languages.ts'
import { referrerOf } from './referrers.ts'
import { cached } from '../visitors/string-cache.ts'

const referrers: readonly (readonly [host: string, referrer: string])[] = [
  ['', ''],
  ['www.example.com', 'example.com'],
  ['WWW.Example.COM.', 'example.com'],
  ['example.com:8443', 'example.com'],
  ['l.facebook.com', 'facebook.com'],
  ['lm.facebook.com', 'facebook.com'],
  ['l.instagram.com', 'instagram.com'],
  ['t.co', 'x.com'],
  ['com.google.android.gm', 'mail.google.com'],
  ['www.google.de', 'google.de'],
  ['xn--mnchen-3ya.de', 'xn--mnchen-3ya.de'],
  ['localhost', 'localhost'],
  ['[2001:db8::1]', ''],
  ['a b.com', ''],
  ['<script>', ''],
  ['..', ''],
  [`${'a'.repeat(300)}.com`, ''],
  ['__proto__', '__proto__'],
]
for (const [host, referrer] of referrers) {
  test(`referrer ${host.slice(0, 40)} is shown as ${referrer || 'direct'}`, () =>
    assert.equal(referrerOf(host), referrer))
}

const languages: readonly (readonly [header: string, language: string])[] = [
  ['de-DE,de;q=0.9,en;q=0.8', 'de-DE'],
  ['en', 'en'],
  ['EN-us', 'en-US'],
  ['zh-hant-tw;q=0.5', 'zh-Hant-TW'],
  ['pt_BR', 'pt-BR'],
  ['*', ''],
  ['', ''],
  [';;;', ''],
  ['x', ''],
  ['en-', ''],
  ['<b>', ''],
  ['en-aaaaaaaaaaaaaaa', ''],
]
for (const [header, language] of languages) {
  test(`language ${header} is shown as ${language || 'nothing'}`, () =>
    assert.equal(languageOf(header), language))
}

test('a cache computes each answer once, and never holds more than twice its bound', () => {
  const computed: string[] = []
  const length = cached((text) => {
    computed.push(text)
    return text.length
  }, 3)
  for (const text of ['a', 'bb', 'a', 'bb', 'ccc', 'a']) assert.equal(length(text), text.length)
  assert.deepEqual(computed, ['a', 'bb', 'ccc'])
  // "a" is requested in each generation and so outlives them all.
  for (const text of ['4444', 'a', '55555', '666666', 'a', '7777777']) length(text)
  assert.equal(computed.filter((text) => text === 'a').length, 1)
  assert.equal(length('ccc'), 3)
  assert.equal(computed.filter((text) => text === 'ccc').length, 2)
})
