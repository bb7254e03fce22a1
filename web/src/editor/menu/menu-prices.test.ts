import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shownPrice } from './menu-prices.ts'

test('a field shows a price with the decimals of its currency; other text stays', () => {
  assert.equal(shownPrice(6.5, 'EUR', 'en'), '6.50')
  assert.equal(shownPrice(6.5, 'EUR', 'de'), '6,50')
  assert.equal(shownPrice(1200, 'EUR', 'en'), '1200.00')
  assert.equal(shownPrice(1200, 'JPY', 'ja'), '1200')
  assert.equal(shownPrice(6.5, '€', 'en'), '6.50')
  assert.equal(shownPrice(6.5, '', 'en'), '6.50')
  assert.equal(shownPrice(6, '', 'en'), '6')
  assert.equal(shownPrice(0.125, 'EUR', 'en'), '0.125')
  assert.equal(shownPrice('free', 'EUR', 'en'), 'free')
  assert.equal(shownPrice(undefined, 'EUR', 'en'), '')
})
