import assert from 'node:assert/strict'
import { test } from 'node:test'
import { preferredLanguage } from './preferred-language.ts'

test('the language with the highest weight counts, the first of equals', () => {
  const cases: [string, string | undefined][] = [
    ['de-AT,de;q=0.9', 'de-at'],
    ['en;q=0.8, fr;q=0.9', 'fr'],
    ['en;q=0.9, fr;q=0.9', 'en'],
    ['en;q=0, fr;q=0.1', 'fr'],
    ['*, de;q=0.5', 'de'],
    ['de;level=1', undefined],
    ['<script>', undefined],
    ['', undefined],
    [`${'en;q=0.1,'.repeat(20)}de`, 'en'],
  ]
  for (const [header, expected] of cases) assert.equal(preferredLanguage(header), expected, header)
})
