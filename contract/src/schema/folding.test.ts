import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foldText, hasWords, searchWords } from './folding.ts'

test('folds letter case, accents and letters that only look like one', () => {
  for (const [text, folded] of [
    ['Café', 'cafe'],
    ['CAFE\u0301', 'cafe'],
    ['Straße', 'strasse'],
    ['Łódź Ørsted Æther', 'lodz orsted aether'],
    ['İstanbul ISPARTA ısı', 'istanbul isparta isi'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['Ёлка', 'елка'],
    ['Ｔａｂｌｅ １２', 'table 12'],
    ['ﬁsh', 'fish'],
    ['東京都', '東京都'],
    ['한글', '한글'],
  ] as const)
    assert.equal(foldText(text), folded)
})

test('keeps the vowel signs of Indic scripts: without them, other words match', () => {
  assert.notEqual(foldText('कि'), foldText('कु'))
})

test('folding a folded text changes nothing', () => {
  for (const text of ['ẞ ŉ ǰ ΐ', 'Ǆ', 'ﷺ', '½ №'])
    assert.equal(foldText(foldText(text)), foldText(text), text)
})

test('splits a search into words, each once', () => {
  assert.deepEqual(searchWords('  Menü\u00a0Lunch  menu '), ['menu', 'lunch'])
  assert.deepEqual(searchWords(' \u0301 '), [])
})

test('finds words in any order, as parts', () => {
  assert.ok(hasWords('Lunch menu, Zürich', searchWords('zur MENU')))
  assert.ok(!hasWords('Lunch menu', searchWords('menu dinner')))
})
