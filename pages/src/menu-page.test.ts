import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allergens, diets } from '@everscan/contract/code-types/menu-marks.ts'
import { landingPage, pageVariant } from './landing-page.ts'
import { languages, wordsOf } from './languages/languages.ts'
import { hoursLines } from './opening-hours.ts'
import { samplePage } from './testing/samples.ts'
import { preferredAt, readAcceptLanguage } from './visitor-language.ts'

const data = {
  title: 'Osteria',
  phone: '+39 011 1',
  bookingUrl: 'https://book.example/osteria',
  address: { street: 'Via Roma 1', zip: '10121', city: 'Torino' },
  openingHours: [
    { days: ['TU', 'WE', 'TH'], from: '12:00', to: '14:30' },
    { days: ['TU', 'WE', 'TH'], from: '18:00', to: '23:00' },
    { days: ['SA'], from: '18:00', to: '01:00' },
  ],
  languages: ['it', 'de', 'ar'],
  translations: [{ language: 'de', title: 'Gasthaus' }],
  sections: [
    {
      name: 'Primi',
      translations: [{ language: 'ar', name: 'معكرونة' }],
      items: [
        {
          name: 'Cacio e pepe',
          price: 6.5,
          currency: 'EUR',
          diets: ['vegetarian'],
          allergens: ['milk', 'gluten'],
          translations: [{ language: 'de', name: 'Nudeln mit Käse', description: 'Mit Pfeffer' }],
        },
      ],
    },
  ],
}
const visitorOf = (header: string) => ({
  ...readAcceptLanguage(header),
  wanted: header,
  system: 'ios' as const,
})
const plain = (text: string) => text.replaceAll(/[\u202f\u00a0]/g, ' ')
const reader = (wanted: string) => ({ language: 'en' as const, locale: 'en', wanted })
const pageFor = (header: string, content: object = data) =>
  landingPage(samplePage({ type: 'MENU', name: 'Menu', data: content }), visitorOf(header))

test('the page begins in the language that the visitor prefers, and has a switch to the others', () => {
  for (const [header, at, title] of [
    ['de-CH,de;q=0.9,it;q=0.8', 1, 'Gasthaus'],
    ['fr,it;q=0.5,de;q=0.4', 0, 'Osteria'],
    ['ar', 2, 'Osteria'],
    ['sv', 0, 'Osteria'],
    ['it;q=0, de', 1, 'Gasthaus'],
  ] as const) {
    const { text } = pageFor(header)
    assert.match(text, new RegExp(`id="k${at}"[^>]* checked`), header)
    assert.equal(text.match(/ checked/g)?.length, 1, header)
    assert.match(text, new RegExp(`<title>${title}</title>`), header)
    for (const name of ['Italiano', 'Deutsch', 'العربية']) assert.ok(text.includes(`>${name}</label>`), name)
  }
})

test('each text is there in every language that has it, with its direction; others see the original', () => {
  const { text } = pageFor('en')
  assert.ok(text.includes('<span class="l l0 l2" lang="it" dir="ltr">Osteria</span>'))
  assert.ok(text.includes('<span class="l l1" lang="de" dir="ltr">Gasthaus</span>'))
  assert.ok(text.includes('<span class="l l0 l1" lang="it" dir="ltr">Primi</span>'))
  assert.ok(text.includes('<span class="l l2" lang="ar" dir="rtl">معكرونة</span>'))
  // A description that only a translation has.
  assert.ok(text.includes('<span class="l l1" lang="de" dir="ltr">Mit Pfeffer</span>'))
})

test('a menu in one language has no switch, and its texts are as they are', () => {
  const { languages: _languages, translations: _translations, sections, ...rest } = data
  const { text } = pageFor('de', { ...rest, sections })
  assert.doesNotMatch(text, /type="radio"|class="l /)
  assert.ok(text.includes('<bdi>Cacio e pepe</bdi>'))
})

test('what restaurants say of themselves and of dishes is in the language of the visitor', () => {
  const { text } = pageFor('de')
  assert.ok(text.includes('Tisch reservieren'))
  assert.ok(text.includes('href="https://book.example/osteria"'))
  assert.ok(text.includes('href="tel:+390111"'))
  assert.ok(text.includes('Via Roma 1, 10121 Torino'))
  assert.ok(
    text.includes('<span class="diet">Vegetarisch</span><span dir="ltr">Enthält: Gluten und Milch</span>'),
  )
  assert.ok(text.includes('6,50\u00a0€'))
  assert.ok(text.includes('Geschlossen'))
})

test('each mark has a word of its own in every language, and a list keeps allergens apart', () => {
  const sections = [{ name: 'All', items: [{ name: 'All', diets, allergens }] }]
  for (const language of languages) {
    const words = wordsOf(language).menu
    assert.equal(new Set(diets.map((diet) => words.diets[diet])).size, diets.length, language)
    const names = allergens.map((one) => words.allergens[one])
    assert.equal(new Set(names).size, allergens.length, language)
    const { text } = pageFor(language, { title: 'All', sections })
    const [, list = ''] =
      new RegExp(`<span dir="[lr]t[lr]">${words.contains}: ([^<]*)</span>`).exec(text) ?? []
    let at = 0
    for (const name of names) {
      const found = list.indexOf(name, at)
      assert.ok(found >= at, `${language}: ${name} in ${list}`)
      if (at > 0) assert.match(list.slice(at, found), /\S/, `${language}: before ${name} in ${list}`)
      at = found + name.length
    }
    assert.equal(at, list.length, language)
  }
})

test('pictures are data, replace the logo of the organization, and nothing else is shown as one', () => {
  const photo = 'data:image/png;base64,iVBORw0KGgo='
  const shown = pageFor('en', { ...data, photo, logo: photo })
  assert.equal(shown.hasPicture, true)
  assert.ok(shown.text.includes(`<img class="photo" src="${photo}" alt="" />`))
  const hostile = pageFor('en', {
    ...data,
    photo: 'https://evil.example/a.png',
    logo: 'data:image/svg+xml;base64,AAAA',
  })
  assert.equal(hostile.hasPicture, false)
  assert.doesNotMatch(hostile.text, /<img|evil/)
})

test('a page is kept for each language that it begins with', () => {
  // Languages in which we have no words, so nothing else tells the pages apart.
  const nordic = { ...data, languages: ['da', 'sv'], translations: [], sections: [] }
  const code = samplePage({ type: 'MENU', name: 'Menu', data: nordic })
  const variants = ['is,sv', 'is,da', 'is'].map((header) => pageVariant(code, visitorOf(header)))
  assert.equal(variants[1], variants[2])
  assert.notEqual(variants[0], variants[1])
})

test('days in a row with the same hours share a line; a break and midnight are as written', () => {
  assert.deepEqual(
    hoursLines(data, 'de').map(({ days, hours }) => `${days}: ${plain(hours)}`),
    ['Mo: ', 'Di – Do: 12:00 – 14:30, 18:00 – 23:00', 'Fr: ', 'Sa: 18:00 – 01:00', 'So: '],
  )
  assert.equal(plain(hoursLines(data, 'en')[1]?.hours ?? ''), '12:00 PM – 2:30 PM, 6:00 PM – 11:00 PM')
  // The comma is that of the language; in Arabic, lists repeat their "and".
  assert.equal(hoursLines(data, 'ja')[1]?.hours.split('、').length, 2)
  assert.equal(hoursLines(data, 'zh')[1]?.hours.split('、').length, 2)
  assert.match(hoursLines(data, 'ar')[1]?.hours ?? '', /^[^,]+ و[^,]+$/)
  // A line breaks between two ranges, and nowhere in one.
  assert.equal(hoursLines(data, 'ko')[1]?.hours.split(' ').length, 2)
  assert.deepEqual(hoursLines({ openingHours: [] }, 'de'), [])
  assert.deepEqual(hoursLines({ openingHours: [{ days: ['MO'], from: 'x' }] }, 'de'), [])
})

test('of equal wishes, the same tag comes before another one of the language', () => {
  assert.equal(preferredAt(['pt', 'pt-BR'], reader('pt-BR')), 1)
  assert.equal(preferredAt(['zh-Hant', 'zh'], reader('zh-TW')), 0)
  assert.equal(preferredAt(['fr', 'EN-gb'], reader('xx, en-GB;q=0.1')), 1)
  assert.equal(preferredAt(['fr', 'de'], { language: 'de', locale: 'de' }), 1)
})
