import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailLanguage, wantedLanguage } from './mail-languages.ts'

const requestFor = (wanted?: string) => ({
  headers: wanted === undefined ? {} : { 'accept-language': wanted },
})

test('a request wants the most preferred of our languages, in whatever region', () => {
  for (const [wanted, language] of [
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['sv, en;q=0.1, fr;q=0.7', 'fr'],
    ['ES-mx', 'es'],
    ['de;q=0, es', 'es'],
    ['sv', undefined],
    ['*', undefined],
    ['', undefined],
    [undefined, undefined],
    [`${'sv,'.repeat(100)}de`, undefined],
  ] as const)
    assert.equal(wantedLanguage(requestFor(wanted)), language, wanted)
})

test('the language of the reader comes before that of the request, and English is the last', () => {
  assert.equal(mailLanguage({ language: 'fr' }, requestFor('de')), 'fr')
  assert.equal(mailLanguage({ language: null }, requestFor('de')), 'de')
  assert.equal(mailLanguage(undefined, requestFor('de')), 'de')
  assert.equal(mailLanguage({ language: null }, requestFor('sv')), 'en')
})
