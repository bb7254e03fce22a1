import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMenuList } from './menu-list.ts'
import {
  changeItems,
  hasSeveralCurrencies,
  moveDish,
  moveSection,
  placeAfterMove,
  placeBeside,
  sectionsOf,
  sharedCurrency,
  withCurrency,
  withRead,
} from './menu-sections.ts'

const menu = sectionsOf({
  sections: [
    { name: 'A', items: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] },
    { name: 'B', items: [] },
  ],
})
const shown = (sections: typeof menu) => sections.map(({ items }) => items.map(({ name }) => name).join(''))

test('a dish moves within its section and to another one, and its place is known', () => {
  for (const [from, to, expected] of [
    [{ section: 0, at: 0 }, { section: 0, at: 2 }, ['bac', '']],
    [{ section: 0, at: 2 }, { section: 0, at: 0 }, ['cab', '']],
    [{ section: 0, at: 1 }, { section: 1, at: 0 }, ['ac', 'b']],
    [{ section: 0, at: 1 }, { section: 0, at: 1 }, ['abc', '']],
  ] as const) {
    const moved = moveDish(menu, from, to)
    assert.deepEqual(shown(moved), expected)
    const place = placeAfterMove(from, to)
    assert.equal(moved[place.section]?.items[place.at], menu[from.section]?.items[from.at])
  }
})

test('up and down go on into the section beside, and end at both ends', () => {
  assert.equal(placeBeside(menu, { section: 0, at: 0 }, 'up'), undefined)
  assert.deepEqual(placeBeside(menu, { section: 0, at: 2 }, 'down'), { section: 1, at: 0 })
  const moved = moveDish(menu, { section: 0, at: 0 }, placeBeside(menu, { section: 0, at: 0 }, 'down')!)
  assert.deepEqual(shown(moved), ['bac', ''])
  const last = changeItems(menu, 1, () => [{ name: 'x' }])
  assert.deepEqual(placeBeside(last, { section: 1, at: 0 }, 'up'), { section: 0, at: 3 })
  assert.equal(placeBeside(last, { section: 1, at: 0 }, 'down'), undefined)
})

test('one currency for all dishes, or none', () => {
  const priced = withCurrency(menu, 'EUR')
  assert.equal(sharedCurrency(priced), 'EUR')
  assert.equal(
    hasSeveralCurrencies(changeItems(priced, 0, ([, ...items]) => [{ name: 'a' }, ...items])),
    true,
  )
  assert.ok(withCurrency(priced, '').every(({ items }) => items.every((dish) => !('currency' in dish))))
})

test('a list is added after what is there; empty dishes give way to it', () => {
  const empty = sectionsOf({ sections: [{ name: '', items: [{ name: '', currency: 'EUR' }] }] })
  const read = readMenuList('Pasta\nLasagne  9\n\nDolci\nTiramisù  6')
  assert.deepEqual(shown(withRead(empty, read, { currency: 'EUR' })), ['Lasagne', 'Tiramisù'])
  assert.deepEqual(shown(withRead(menu, read, { currency: 'EUR' })), ['abc', '', 'Lasagne', 'Tiramisù'])
  const lines = readMenuList('d 4\ne 5')
  const within = withRead(
    menu,
    { ...lines, sections: [{ name: '', items: lines.sections.flatMap(({ items }) => items) }] },
    {
      currency: '',
      after: { section: 0, at: 0 },
    },
  )
  assert.deepEqual(shown(within), ['adebc', ''])
})

test('a section moves to the place of another one', () => {
  const three = sectionsOf({ sections: ['A', 'B', 'C'].map((name) => ({ name, items: [] })) })
  const order = (sections: typeof three) => sections.map(({ name }) => name).join('')
  assert.equal(order(moveSection(three, 0, 2)), 'BCA')
  assert.equal(order(moveSection(three, 2, 0)), 'CAB')
  assert.equal(order(moveSection(three, 1, 1)), 'ABC')
  assert.equal(order(moveSection(three, 9, 0)), 'ABC')
})
