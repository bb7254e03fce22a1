import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filledUtmValue } from './utm-values.ts'

const subject = { name: ' Table 4 (Terrace) ', shortCode: 'A-7k3', folder: 'Café & Bar' }

test('placeholders become lower case with one "-" between words; the short code stays', () => {
  const cases: [string, string][] = [
    ['flyer', 'flyer'],
    ['Flyer A {name}', 'Flyer A table-4-terrace'],
    ['{folder}_{name}', 'café-bar_table-4-terrace'],
    ['{shortCode}', 'A-7k3'],
    ['{name}{name}', 'table-4-terracetable-4-terrace'],
    ['{other}', '{other}'],
  ]
  for (const [value, expected] of cases) assert.equal(filledUtmValue(value, subject), expected, value)
})

test('letters of every script stay, with their marks; what has no letter or digit is empty', () => {
  assert.equal(filledUtmValue('{name}', { ...subject, name: 'हिन्दी 東京' }), 'हिन्दी-東京')
  assert.equal(filledUtmValue('{name}', { ...subject, name: '★ !' }), '')
  assert.equal(filledUtmValue('{folder}', { ...subject, folder: '' }), '')
  // A name cannot bring in a placeholder, or a pattern of the replacement.
  assert.equal(filledUtmValue('{name}', { ...subject, name: '{shortCode} $&' }), 'shortcode')
})
