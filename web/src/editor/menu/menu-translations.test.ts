import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sectionsOf } from './menu-sections.ts'
import {
  languagesOf,
  translationOf,
  untranslated,
  withLanguageOf,
  withoutLanguage,
  withTranslation,
} from './menu-translations.ts'

const menu = {
  title: 'Trattoria',
  languages: ['it', 'de', 'en'],
  translations: [{ language: 'de', title: 'Gasthaus' }],
  sections: [
    {
      name: 'Primi',
      translations: [
        { language: 'de', name: 'Nudeln' },
        { language: 'en', name: 'Pasta' },
      ],
      items: [
        { name: 'Gricia', description: 'Guanciale', translations: [{ language: 'de', name: 'Grieche' }] },
        { name: 'Amatriciana' },
      ],
    },
  ],
}

test('a text in another language is set, changed, and removed without a trace', () => {
  const dish: { name: string; translations?: readonly { language: string }[] } = { name: 'Gricia' }
  const named = withTranslation(dish, 'de', { field: 'name', text: 'Gricia' })
  const both = withTranslation(named, 'de', { field: 'description', text: 'Mit Speck' })
  assert.deepEqual(both.translations, [{ language: 'de', name: 'Gricia', description: 'Mit Speck' }])
  assert.equal(translationOf(both, 'de', 'description'), 'Mit Speck')
  assert.equal(translationOf(both, 'fr', 'description'), '')
  const none = withTranslation(withTranslation(both, 'de', { field: 'name', text: '' }), 'de', {
    field: 'description',
    text: '',
  })
  assert.equal(none.translations, undefined)
})

test('what is not translated is counted: names, and descriptions that are there', () => {
  assert.equal(untranslated(menu, 'de'), 2)
  assert.equal(untranslated(menu, 'en'), 3)
})

test('a language goes with its texts, and comes back in what the menu is by then', () => {
  const without = withoutLanguage(menu, 'de')
  assert.deepEqual(languagesOf(without), ['it', 'en'])
  assert.doesNotMatch(JSON.stringify(without), /"de"|Nudeln|Gasthaus/)
  assert.match(JSON.stringify(without), /"Pasta"/)
  const [section] = sectionsOf(without)
  const changed = {
    ...without,
    sections: [{ ...section, items: [{ name: 'Carbonara' }, { name: 'Amatriciana' }] }],
  }
  const back = withLanguageOf(changed, menu, 'de')
  assert.deepEqual(languagesOf(back), ['it', 'en', 'de'])
  assert.match(JSON.stringify(back), /Nudeln/)
  assert.doesNotMatch(JSON.stringify(back), /Grieche/)
  assert.deepEqual(sectionsOf(withLanguageOf(without, menu, 'de'))[0]?.items, sectionsOf(menu)[0]?.items)
})
