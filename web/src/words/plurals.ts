/**
 * Returns a function that chooses between the singular and the plural of a language. French uses
 * the singular for zero, too.
 */
export function pluralsOf(language: string): (count: number, one: string, other: string) => string {
  const rules = new Intl.PluralRules(language)
  return (count, one, other) => (rules.select(count) === 'one' ? one : other)
}

/** Returns whether a written amount, such as "1 code", is of one. Digits have no space in them. */
export const isOne = (written: string) => written === '1' || written.startsWith('1 ')

/** Returns a function that joins names in a sentence: "Ada, Ben and Cleo". */
export function listsOf(locale: string): (names: readonly string[]) => string {
  const format = new Intl.ListFormat(locale, { type: 'conjunction' })
  return (names) => format.format(names)
}
