type WritePrice = (price: number) => string

/** Formatters by locale and currency. Creating one takes a hundred times as long as using it. */
const writers = new Map<string, WritePrice>()
const writersMax = 1_000

/**
 * Formats a price in the reader's number format: `12,50 €` in German, `€12.50` in English.
 * `currency` is an ISO 4217 code, or a printed sign, which appears where the reader expects one. If
 * it is empty, the result is the number alone.
 */
export function formatPrice(price: number, currency: string, locale: string): string {
  const key = `${locale} ${currency}`
  let write = writers.get(key)
  if (write === undefined) {
    if (writers.size >= writersMax) writers.clear()
    write = priceWriter(currency.trim(), locale)
    writers.set(key, write)
  }
  return write(price)
}

function priceWriter(currency: string, locale: string): WritePrice {
  if (currency === '') return number(locale)
  if (/^[a-z]{3}$/i.test(currency)) {
    const format = new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
    })
    return (price) => format.format(price)
  }
  // Any currency with two decimals shows the position of the sign and the characters around it.
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' })
  return (price) =>
    format
      .formatToParts(price)
      .map(({ type, value }) => (type === 'currency' ? currency : value))
      .join('')
}

function number(locale: string): WritePrice {
  const whole = new Intl.NumberFormat(locale)
  const decimal = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  return (price) => (Number.isInteger(price) ? whole : decimal).format(price)
}
