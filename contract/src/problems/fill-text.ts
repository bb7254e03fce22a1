/** A text with placeholders in braces, or a function of the values of a problem. */
export type Fillable = string | ((values: never) => string)

/** Puts values into a text, or gives them to a function. */
export function fillText(text: Fillable, values: Readonly<Record<string, string | number>>): string {
  if (typeof text === 'function') return text(values as never)
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
}

/** Returns the values of a problem, which may have none, and its English with them. */
export function told(english: Fillable, values: Readonly<Record<string, string | number>> = {}) {
  return { values, message: fillText(english, values) }
}
