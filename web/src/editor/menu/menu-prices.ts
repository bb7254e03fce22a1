import { formatPrice } from '@everscan/pages/prices.ts'
import { currentLocale } from '../../words/chosen-language.ts'

/** The most decimals that a price may be typed with. */
const decimalsMax = 6

/** Returns a price with its currency as the language of the dashboard writes it. */
export const pricedText = (price: number, currency: string) => formatPrice(price, currency, currentLocale())

/**
 * Returns a price as a field shows it: with the decimals of its currency, 6.50 and not 6.5. Other
 * text stays as typed.
 */
export function shownPrice(value: unknown, currency: string, locale = currentLocale()): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'number') return ''
  const decimals = decimalsOf(currency)
  return new Intl.NumberFormat(locale, {
    useGrouping: false,
    minimumFractionDigits: Number.isInteger(value) && currency === '' ? 0 : decimals,
    maximumFractionDigits: Math.max(decimals, decimalsMax),
    numberingSystem: 'latn',
  }).format(value)
}

function decimalsOf(currency: string): number {
  if (!/^[a-z]{3}$/i.test(currency)) return 2
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  return maximumFractionDigits
}
