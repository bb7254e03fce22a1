import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatPrice } from './prices.ts'

/** Replaces special spaces with plain ones and removes direction marks. */
const plain = (text: string): string =>
  text.replaceAll(/[\u00a0\u202f]/g, ' ').replaceAll(/[\u200e\u200f\u061c]/g, '')

test('prices are written as the reader writes them', () => {
  const cases: readonly (readonly [price: number, currency: string, locale: string, text: string])[] = [
    [12.5, 'EUR', 'en', '€12.50'],
    [12.5, 'EUR', 'de', '12,50 €'],
    [12.5, 'eur', 'fr', '12,50 €'],
    [1250, 'JPY', 'ja', '￥1,250'],
    [1250, 'CHF', 'de', '1.250,00 CHF'],
    [12.5, 'BRL', 'pt-BR', 'R$ 12,50'],
    [12.5, '€', 'de', '12,50 €'],
    [12.5, '£', 'en', '£12.50'],
    [12, 'Taler', 'de', '12,00 Taler'],
    [12.5, '', 'de', '12,50'],
    [1200, '', 'en', '1,200'],
    [3, 'QQQ', 'en', 'QQQ 3.00'],
    [0, '$', 'en', '$0.00'],
  ]
  for (const [price, currency, locale, text] of cases)
    assert.equal(plain(formatPrice(price, currency, locale)), text, `${price} ${currency} ${locale}`)
})
