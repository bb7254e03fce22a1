import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMenuList, readPrice } from './menu-list.ts'

test('prices as people write them', () => {
  const cases: [string, number | undefined, string?][] = [
    ['12', 12],
    ['12.5', 12.5],
    ['12,50 €', 12.5, 'EUR'],
    ['€ 12.50', 12.5, 'EUR'],
    ['CHF 19.–', 19, 'CHF'],
    ['8,-', 8],
    ['1.200,00 EUR', 1200, 'EUR'],
    ['1,200', 1200],
    ['$7', 7, 'USD'],
    ['0', 0],
    ['free', undefined],
    ['2 eggs', undefined],
    ['', undefined],
  ]
  for (const [text, price, currency] of cases)
    assert.deepEqual(readPrice(text), price === undefined ? undefined : { price, currency }, text)
})

test('a document: headings, dots, descriptions below and after a dash', () => {
  const text = `
STARTERS

Bruschetta ............ 6,50 €
Tomato, basil, garlic
Vitello tonnato – cold veal, tuna sauce   11,90 €

Pasta:
• Cacio e pepe  12 €
• Orecchiette  13,50 €

Dolci
Tiramisù 7 €`
  assert.deepEqual(readMenuList(text), {
    currency: 'EUR',
    sections: [
      {
        name: 'Starters',
        items: [
          { name: 'Bruschetta', price: 6.5, currency: 'EUR', description: 'Tomato, basil, garlic' },
          { name: 'Vitello tonnato', price: 11.9, currency: 'EUR', description: 'cold veal, tuna sauce' },
        ],
      },
      {
        name: 'Pasta',
        items: [
          { name: 'Cacio e pepe', price: 12, currency: 'EUR' },
          { name: 'Orecchiette', price: 13.5, currency: 'EUR' },
        ],
      },
      { name: 'Dolci', items: [{ name: 'Tiramisù', price: 7, currency: 'EUR' }] },
    ],
  })
})

test('cells of a spreadsheet, with and without sections and a header', () => {
  const plain = readMenuList('Dish\tPrice\nBurrata\t9.5\nPanna cotta\tcream, berries\t6')
  assert.deepEqual(plain.sections, [
    {
      name: '',
      items: [
        { name: 'Burrata', price: 9.5, currency: undefined },
        { name: 'Panna cotta', price: 6, currency: undefined, description: 'cream, berries' },
      ],
    },
  ])
  const four = readMenuList(
    'Pizza;Margherita;tomato, mozzarella;9,00 €\nPizza;Marinara;;8 €\nDrinks;Water;;3 €',
  )
  assert.deepEqual(
    four.sections.map(({ name, items }) => [name, items.map((dish) => [dish.name, dish.price])]),
    [
      [
        'Pizza',
        [
          ['Margherita', 9],
          ['Marinara', 8],
        ],
      ],
      ['Drinks', [['Water', 3]]],
    ],
  )
  const headed = readMenuList('Pizza\t\nMargherita\t9\nDrinks\t\nWater\t3')
  assert.deepEqual(
    headed.sections.map(({ name, items }) => [name, items.length]),
    [
      ['Pizza', 1],
      ['Drinks', 1],
    ],
  )
})

test('a list without prices is a dish a line; numbers in names stay there', () => {
  assert.deepEqual(
    readMenuList('Soup of the day\nSalad\nSteak').sections.map(({ items }) => items.length),
    [3],
  )
  const { sections } = readMenuList('Menu\nBurger 2000 with cheese  14\nSpaghetti No. 5  11')
  assert.deepEqual(
    sections[0]?.items.map(({ name, price }) => [name, price]),
    [
      ['Burger 2000 with cheese', 14],
      ['Spaghetti No. 5', 11],
    ],
  )
})

test('any text is read in a moment', () => {
  for (const text of [
    '',
    '\n\n',
    '\t\t\t',
    '- '.repeat(50_000),
    `${'.'.repeat(100_000)} 5`,
    'a 1\n'.repeat(20_000),
    '1 '.repeat(50_000),
  ]) {
    const fromMs = performance.now()
    readMenuList(text)
    assert.ok(performance.now() - fromMs < 2_000, text.slice(0, 10))
  }
})
