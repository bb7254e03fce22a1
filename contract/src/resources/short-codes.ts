import { Type, type Static } from 'typebox'
import { limits } from '../schema/limits.ts'
import { patterns } from '../schema/patterns.ts'

/** Crockford's base 32, what we make short codes of: no I, L, O (read as 1, 1, 0) and no U. */
export const shortCodeAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** The form of every short code, ours or chosen by a client. */
export const shortCodePattern: RegExp = new RegExp(patterns.shortCode)

/** The code part of a short URL as a client may choose it; kept as written, looked up in canonical form. */
export const ShortCode = Type.String({
  description:
    'The code part of the short URL: 4 to 32 letters, digits or "-", kept as written. Letter case does not matter when it ' +
    'is looked up; O is read as 0, I and L as 1. Made (7 characters) when absent. Never given out twice, also after delete.',
  minLength: limits.shortCodeCharsMin,
  maxLength: limits.shortCodeCharsMax,
  pattern: patterns.shortCode,
  examples: ['SUMMER-2026'],
})
export type ShortCode = Static<typeof ShortCode>

/**
 * The form in which a code is looked up and is unique: upper case, O read as 0, I and L as 1. Takes ASCII only, so check with
 * `isShortCode` first: JavaScript's upper case of some other letters (ſ, ı) is ASCII.
 */
export function canonicalShortCode(text: string): string {
  return text.toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1')
}

/** Whether a text has the form of a short code. */
export function isShortCode(text: string): boolean {
  return shortCodePattern.test(text)
}

/** Words that are paths of ours, or that browsers and crawlers ask for at the root; none becomes a short code. */
const reservedWords = [
  'api',
  'app',
  'assets',
  'docs',
  'favicon',
  'healthz',
  'login',
  'logout',
  'metrics',
  'readyz',
  'robots',
  'sitemap',
  'static',
  'well-known',
] as const

/** The reserved words in canonical form (so that HEA1THZ is refused too). */
export const reservedShortCodes: ReadonlySet<string> = new Set(reservedWords.map(canonicalShortCode))

/** Whether a code is a path of ours, compared in canonical form. */
export function isReservedShortCode(text: string): boolean {
  return reservedShortCodes.has(canonicalShortCode(text))
}
