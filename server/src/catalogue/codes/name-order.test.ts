import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import { nameOrder } from './name-order.ts'

const sorted = (names: readonly string[]): string[] =>
  names.toSorted((one, other) => Buffer.compare(Buffer.from(nameOrder(one)), Buffer.from(nameOrder(other))))

test('sorts names as people do', () => {
  const names = [
    '_draft',
    '#1',
    '👍',
    '2 for 1',
    '10 for 9',
    'Äpfel',
    'Birne',
    'cafe',
    'Café',
    'Cafe bar',
    'coté',
    'Łódź',
    'nz',
    'ŋ',
    'o',
    'Strasse 2',
    'Straße 3',
    'Table',
    'Table 2',
    'table 2b',
    'Table 10',
    'Table 010b',
    'Table 11',
    'Tablet',
    'Zebra',
    'Αθήνα',
    'Жук',
    '東京',
  ]
  for (let shift = 0; shift < names.length; shift += 5)
    assert.deepEqual(sorted([...names.slice(shift), ...names.slice(0, shift)]), names)
})

test('agrees with the Unicode Collation Algorithm wherever letters differ', () => {
  const random = seededRandom()
  const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
  const parts = [...'abzäøßñéŁœ_-,.#&0199 '.split(''), 'Ab', 'λ', 'ж', '12', '007', 'Й']
  const some = () =>
    Array.from({ length: 1 + Math.floor(random() * 6) }, () => parts[Math.floor(random() * parts.length)])
      .join('')
      .replaceAll(/\s+/g, ' ')
      .trim()
  for (let i = 0; i < 20_000; i++) {
    const [one, other] = [some(), some()]
    const expected = collator.compare(one, other)
    if (expected === 0) continue
    const found = Buffer.compare(Buffer.from(nameOrder(one)), Buffer.from(nameOrder(other)))
    assert.equal(Math.sign(found), Math.sign(expected), JSON.stringify([one, other]))
  }
})

test('numbers of any digits and length have their value', () => {
  assert.ok(nameOrder('9') < nameOrder('１０'))
  assert.ok(nameOrder(`1${'0'.repeat(150)}`) > nameOrder('9'.repeat(150)))
})

test('a key fits into an index, whatever the name', () => {
  for (const name of ['ﷺ'.repeat(255), '👍'.repeat(255), 'ﬃ'.repeat(255), '½'.repeat(255)]) {
    const key = nameOrder(name)
    assert.ok(Buffer.byteLength(key) <= 1_500)
    assert.ok(key.isWellFormed())
  }
})
