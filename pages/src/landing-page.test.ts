import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { test } from 'node:test'
import { landingPage } from './landing-page.ts'
import { noticePage } from './notice-pages.ts'
import { englishSamples, sampleBrand, samplePage } from './testing/samples.ts'
import { directionOf, languages } from './languages/languages.ts'

const gzippedBytesMax = 20_000

/** The menu of a large restaurant: 180 dishes, each with its own description. */
const longMenu = {
  type: 'MENU' as const,
  name: 'Menu',
  data: {
    title: 'Grand Café',
    sections: Array.from({ length: 12 }, (_, section) => ({
      name: `Section ${section}`,
      items: Array.from({ length: 15 }, (__, item) => ({
        name: `Dish ${(section * 7919 + item * 104_729).toString(36)}`,
        description: `With ${(section * 15_485_863 + item * 32_452_843).toString(36)} of the market`,
        price: 4 + item * 1.5,
        currency: 'EUR',
      })),
    })),
  },
}

test('every page, in every language, with a logo: under 20 KB gzipped, whole, and asks for nothing', async () => {
  const brand = await sampleBrand()
  for (const language of languages) {
    const visitor = { language, locale: language, system: 'android' } as const
    for (const sample of [...Object.values(englishSamples), longMenu]) {
      const { text } = landingPage(samplePage(sample, { brand }), visitor)
      const bytes = gzipSync(text).length
      assert.ok(bytes < gzippedBytesMax, `${sample.type} in ${language}: ${bytes}`)
      assert.ok(text.startsWith(`<!doctype html><html lang="${language}" dir="${directionOf(language)}">`))
      assert.ok(text.endsWith('</html>'))
      assert.doesNotMatch(text, /undefined|\[object|NaN/, `${sample.type} in ${language}`)
      // Links lead elsewhere. Nothing else has an address except a picture, which is data.
      assert.doesNotMatch(text.replaceAll(/<a [^>]*>/g, ''), /href|url\(|@import|src="(?!data:)/)
    }
  }
})

test('a notice is in the language, with its status and what belongs to it', () => {
  for (const language of languages)
    for (const [notice, status, header] of [
      ['unknown', 404, undefined],
      ['gone', 410, undefined],
      ['later', 503, 'Retry-After'],
      ['method', 405, 'Allow'],
    ] as const) {
      const page = noticePage(notice, language)
      assert.equal(page.status, status)
      assert.deepEqual(Object.keys(page.headers), header === undefined ? [] : [header])
      assert.match(page.text, new RegExp(`<html lang="${language}"`))
    }
})

test('a text stays a text: what looks like an address in it is no link', () => {
  const sample = {
    type: 'TEXT' as const,
    name: 'A',
    data: { text: 'See https://example.com, www.example.com or +49 30 1' },
  }
  const page = landingPage(samplePage(sample), { language: 'en', locale: 'en', system: 'other' })
  assert.doesNotMatch(page.text, /<a /)
  assert.match(page.text, /format-detection" content="telephone=no/)
})

test('a still page has the colors of one scheme, no script, and links that open nothing', () => {
  const wifi = samplePage(englishSamples.wifi)
  const visitor = { language: 'en', locale: 'en', system: 'other' } as const
  for (const scheme of ['light', 'dark'] as const) {
    const page = landingPage(wifi, visitor, { scheme })
    assert.equal(page.script, undefined)
    assert.doesNotMatch(page.text, /<script/)
    assert.match(page.text, /<base target="_blank" \/>/)
    const [, colors = ''] = page.styles
    assert.ok(colors.includes(`color-scheme:${scheme};--page:${wifi.colors[scheme].page}`))
    assert.doesNotMatch(colors, /prefers-color-scheme/)
    assert.ok(page.text.includes(colors))
  }
  assert.doesNotMatch(landingPage(wifi, visitor).text, /<base/)
})

test('an address is looked for on the map of the system', () => {
  const sample = englishSamples.vcard
  for (const [system, href] of [
    ['ios', 'https://maps.apple.com/?q='],
    ['android', 'geo:0,0?q='],
    ['other', 'https://www.openstreetmap.org/search?query='],
  ] as const) {
    const page = landingPage(samplePage(sample), { language: 'en', locale: 'en', system })
    assert.ok(page.text.includes(`href="${href}12%20St%20James`), system)
  }
})
