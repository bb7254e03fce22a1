import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAcceptLanguage } from './visitor-language.ts'

test('the most wanted language that we have, and numbers as the most wanted one of all writes them', () => {
  const cases: readonly (readonly [header: string, language: string, locale: string])[] = [
    ['', 'en', 'en'],
    ['*', 'en', 'en'],
    ['de', 'de', 'de'],
    ['de-CH,de;q=0.9,en;q=0.8', 'de', 'de-CH'],
    ['PT-br', 'pt', 'pt-BR'],
    ['zh-Hans-CN, en;q=0.5', 'zh', 'zh'],
    ['sv-SE,sv;q=0.9,en-US;q=0.8,en;q=0.7', 'en', 'sv-SE'],
    ['ru-KZ, kk;q=0.9', 'ru', 'ru-KZ'],
    ['ko-KR', 'ko', 'ko-KR'],
    ['is, fr;q=0.5', 'fr', 'is'],
    ['is;q=0.1, fr;q=0.5, ja;q=0.9', 'ja', 'ja'],
    ['sv;q=0, de;q=0.000, fr;q=0.001', 'fr', 'fr'],
    ['is, de;q=high, fr;q=0.1', 'fr', 'is'],
    ['xx-yy', 'en', 'en'],
    ['deutsch', 'en', 'en'],
    [',,;q=1,-', 'en', 'en'],
    [`${'is,'.repeat(30)}de`, 'en', 'is'],
    ['ar-EG', 'ar', 'ar-EG'],
  ]
  for (const [header, language, locale] of cases)
    assert.deepEqual(readAcceptLanguage(header), { language, locale }, header)
})
