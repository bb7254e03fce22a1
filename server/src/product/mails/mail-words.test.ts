import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dashboardLanguages } from '@everscan/contract/schema/dashboard-languages.ts'
import { mailWords } from './mail-words.ts'

type Leaf = { path: string; text: string | ((...values: unknown[]) => string) }

function leavesOf(words: unknown, path: string): Leaf[] {
  if (typeof words === 'string' || typeof words === 'function') return [{ path, text: words as Leaf['text'] }]
  assert.ok(typeof words === 'object' && words !== null, path)
  return Object.entries(words).flatMap(([name, value]) => leavesOf(value, `${path}.${name}`))
}

/** A text with a mark for each part that a function puts in. */
function shownOf({ text }: Leaf): string {
  if (typeof text === 'string') return text
  return text(...Array.from({ length: text.length }, (_, at) => `⟦${at}⟧`))
}

const numbersOf = (text: string) => text.replaceAll(/⟦\d⟧/g, '').match(/\d+/g)
const marksOf = (text: string) => [...text.matchAll(/⟦\d⟧/g)].map(([mark]) => mark).toSorted()

/** Words that two languages share. */
const same = new Set([
  'Code',
  'Type',
  'Destinations',
  'Scans',
  'Region',
  'Browser',
  'Link',
  'Text',
  'Video',
  'Menu',
  'Message',
  'Contact',
  'Wi-Fi',
  'E-mail',
  'PDF',
  'App',
  'Tablet',
  'Computer',
  '⟦0⟧: ⟦1⟧',
  '⟦1⟧ scans',
])

const english = leavesOf(mailWords.en, 'mails').map((leaf) => ({ ...leaf, shown: shownOf(leaf) }))

for (const language of dashboardLanguages.filter((one) => one !== 'en'))
  test(`${language}: every text is translated and has the parts of the English one`, () => {
    const leaves = leavesOf(mailWords[language], 'mails')
    assert.equal(leaves.length, english.length)
    for (const leaf of leaves) {
      const model = english.find(({ path }) => path === leaf.path)
      const shown = shownOf(leaf)
      assert.ok(model, leaf.path)
      assert.deepEqual(marksOf(shown), marksOf(model.shown), leaf.path)
      if (!same.has(model.shown)) assert.notEqual(shown, model.shown, leaf.path)
      // A link follows a colon in all languages.
      assert.equal(shown.endsWith(':'), model.shown.endsWith(':'), leaf.path)
      assert.deepEqual(numbersOf(shown), numbersOf(model.shown), leaf.path)
    }
  })

test('French has a no-break space before what stands apart, and inside quotation marks', () => {
  for (const leaf of leavesOf(mailWords.fr, 'mails'))
    assert.doesNotMatch(shownOf(leaf), /[^\u00a0][:;!?»]|«[^\u00a0]|["']/, leaf.path)
})

test('the quotation marks and the apostrophe are those of the language', () => {
  for (const leaf of leavesOf(mailWords.de, 'mails')) assert.doesNotMatch(shownOf(leaf), /["'”«»]/, leaf.path)
  for (const leaf of leavesOf(mailWords.es, 'mails')) assert.doesNotMatch(shownOf(leaf), /["'“”]/, leaf.path)
})

test('how long a link works is written with the unit of the language', () => {
  const accepts = dashboardLanguages.map((language) =>
    mailWords[language].invitation.accept.replace('\u00a0', ' '),
  )
  const chooses = dashboardLanguages.map((language) =>
    mailWords[language].passwordReset.choose.replace('\u00a0', ' '),
  )
  for (const [at, unit] of ['7 days', '7 Tage', '7 jours', '7 días'].entries())
    assert.ok(accepts[at]?.includes(unit), accepts[at])
  for (const [at, unit] of ['1 hour', '1 Stunde', '1 heure', '1 hora'].entries())
    assert.match(chooses[at] ?? '', new RegExp(`${unit}\\W*$`))
})
