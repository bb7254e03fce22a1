import { fillText, type Fillable } from './fill-text.ts'

/** A problem that is about another one: `last` is its name, and its values are beside it. */
export type AboutLast = Readonly<Record<string, string | number>> & { readonly last: string }

/** Returns the English of the problem that another one is about. */
export function lastOf(texts: Readonly<Record<string, Fillable>>, { last, ...values }: AboutLast): string {
  return Object.hasOwn(texts, last) ? fillText(texts[last] ?? '', values) : ''
}

/** Returns a count with its noun: 1 is "1 hit", 2000 is "2,000 hits". */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : `${noun}s`}`
}

/** Returns a period of days: `of 2026-03-01`, or `from 2026-03-01 to 2026-03-05`. */
export function periodOf(first: string, last: string): string {
  return first === last ? `of ${first}` : `from ${first} to ${last}`
}

/** Returns a span of whole hours, or of days from two on. */
export function spanOf(hours: number): string {
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`
}
