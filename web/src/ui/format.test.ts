// In a process of its own: formats keep the language in which they were loaded first.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { germanStart } from '../words/de/german-start.ts'
import { setLanguage } from '../words/chosen-language.ts'

setLanguage({ language: 'de', locale: 'de', areas: germanStart })
const { formatAge, formatWhen } = await import('./format.ts')

const nowMs = Date.parse('2026-11-20T12:00:00Z')

test('an age is said in words, and a date inside a sentence has its preposition', () => {
  const ages = [
    ['2026-11-20T12:00:00.400Z', 'gerade eben', 'gerade eben'],
    ['2026-11-20T11:59:48Z', 'vor 12 Sekunden', 'vor 12 Sekunden'],
    ['2026-11-18T12:00:00Z', 'vorgestern', 'vorgestern'],
    ['2026-11-26T12:00:00Z', 'in 6 Tagen', 'in 6 Tagen'],
    ['2026-10-03T12:00:00Z', '03.10.2026', 'am 03.10.2026'],
  ] as const
  for (const [iso, alone, inSentence] of ages) {
    assert.equal(formatAge(iso, nowMs), alone)
    assert.equal(formatWhen(iso, nowMs), inSentence)
  }
})
