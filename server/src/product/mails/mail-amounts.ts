/** Returns functions that write an amount with its unit in a language: "7 days", "1 hour". */
export function amountsOf(language: string) {
  const amountOf = (unit: string) => {
    const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' })
    return (amount: number) => format.format(amount)
  }
  return { days: amountOf('day'), hours: amountOf('hour') }
}

/**
 * Returns a function that chooses between the singular and the plural of a language. French uses
 * the singular for zero, too.
 */
export function pluralsOf(language: string) {
  const rules = new Intl.PluralRules(language)
  return (count: number, one: string, other: string) => (rules.select(count) === 'one' ? one : other)
}
