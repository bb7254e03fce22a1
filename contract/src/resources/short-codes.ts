import { Type, type Static } from 'typebox'
import { limits } from '../schema/limits.ts'
import { patterns } from '../schema/patterns.ts'
import { hostnameProblem, normalHostname } from '../domains/host-names.ts'

/**
 * Crockford's base 32, the alphabet of generated short codes: no I, L, O (read as 1, 1, 0) and no
 * U.
 */
export const shortCodeAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** The form of every short code, generated or chosen by a client. */
export const shortCodePattern: RegExp = new RegExp(patterns.shortCode)

/**
 * The code part of a short URL, as a client may choose it. Stored as written, looked up in
 * canonical form.
 */
export const ShortCode = Type.String({
  description:
    'The code part of the short URL: 4 to 32 letters, digits or "-", stored as written. Lookups ignore case ' +
    'and read O as 0, I and L as 1. Default: 7 generated characters. Never reused, even after deletion.',
  minLength: limits.shortCodeCharsMin,
  maxLength: limits.shortCodeCharsMax,
  pattern: patterns.shortCode,
  examples: ['SUMMER-2026'],
})
export type ShortCode = Static<typeof ShortCode>

/**
 * The form in which codes are looked up and are unique: upper case, O read as 0, I and L as 1.
 * Accepts only ASCII, so check with `isShortCode` first: some other letters (ſ, ı) become ASCII
 * in JavaScript's upper case.
 */
export function canonicalShortCode(text: string): string {
  return text.toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1')
}

/**
 * The key by which a code is looked up and unique: its canonical form, after the host name of its
 * own domain and a slash, if it has one. No host name contains a slash.
 *
 * @example codeKey({ shortCode: 'menu', domain: 'go.example.com' }) // 'go.example.com/MENU'
 */
export function codeKey({ shortCode, domain }: { shortCode: string; domain: string }): string {
  const canonical = canonicalShortCode(shortCode)
  return domain === '' ? canonical : `${domain}/${canonical}`
}

/** Returns the host name in the key of a code, empty for PUBLIC_URL, and the canonical code. */
export function partsOfCodeKey(key: string): { domain: string; canonicalCode: string } {
  const end = key.indexOf('/')
  return { domain: end < 0 ? '' : key.slice(0, end), canonicalCode: key.slice(end + 1) }
}

/** Whether a text has the form of a short code. */
export function isShortCode(text: string): boolean {
  return shortCodePattern.test(text)
}

/**
 * Paths of the service, and names that browsers and crawlers request at the root. No short code
 * uses them.
 */
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

/** The reserved words in canonical form, so that HEA1THZ is reserved too. */
export const reservedShortCodes: ReadonlySet<string> = new Set(reservedWords.map(canonicalShortCode))

/** Whether a code is reserved, compared in canonical form. */
export function isReservedShortCode(text: string): boolean {
  return reservedShortCodes.has(canonicalShortCode(text))
}

/** Characters that programs and people leave around a copied address. */
const around = /^[\s.,)\]>;:!?"'\u200b-\u200d\u2060\ufeff/]+|[\s.,)\]>;:!?"'\u200b-\u200d\u2060\ufeff/]+$/gu

/** Longer texts are no codes: the pattern takes quadratic time. */
const copiedCharsMax = 200

/**
 * Returns a path without what chat and mail programs append to an address: anything from the first
 * `&`, and punctuation, spaces and slashes at both ends.
 *
 * @example copiedCode('/7K3M9QX).') // '7K3M9QX'
 */
export function copiedCode(path: string): string {
  const text = path.split('&', 1)[0] ?? ''
  return text.length > copiedCharsMax ? text : text.replace(around, '')
}

/**
 * Returns the short code in a short URL of this installation, as written there. Undefined for any
 * other text. The scheme may be missing, and letter case, query and trailing punctuation do not
 * matter. An address on https and one on http are the same place to those who printed it.
 *
 * @example shortCodeInUrl('HTTPS://QR.EXAMPLE.COM/7K3M9QX', 'https://qr.example.com') // '7K3M9QX'
 */
export function shortCodeInUrl(text: string, publicUrl: string): string | undefined {
  const base = parse(publicUrl)
  const address = addressIn(text)
  if (base === undefined || address === undefined) return undefined
  return placeOf(address) === placeOf(base) ? codeOfPath(address, base.pathname) : undefined
}

/**
 * Returns the key (`codeKey`) of the code that a short URL of this installation, or one on any
 * other host, would have. Undefined for any other text.
 *
 * @example codeKeyInUrl('go.example.com/menu', 'https://qr.example.com') // 'go.example.com/MENU'
 */
export function codeKeyInUrl(text: string, publicUrl: string): string | undefined {
  const own = shortCodeInUrl(text, publicUrl)
  if (own !== undefined) return canonicalShortCode(own)
  const [base, address] = [parse(publicUrl), addressIn(text)]
  if (base === undefined || address === undefined || address.hostname === base.hostname) return undefined
  const shortCode = codeOfPath(address, '/')
  const domain = normalHostname(address.host)
  return shortCode === undefined || hostnameProblem(domain) !== undefined || domain === undefined
    ? undefined
    : codeKey({ shortCode, domain })
}

function addressIn(text: string): URL | undefined {
  const trimmed = text.trim()
  return parse(/^https?:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`)
}

function codeOfPath({ pathname }: URL, basePath: string): string | undefined {
  const prefix = basePath.replace(/\/$/, '')
  const path = decoded(pathname)
  if (path === undefined || !path.startsWith(`${prefix}/`)) return undefined
  const code = copiedCode(path.slice(prefix.length))
  return isShortCode(code) && !isReservedShortCode(code) ? code : undefined
}

/** The host, and a port that is not that of either scheme. */
function placeOf({ hostname, port }: URL): string {
  return port === '' || port === '80' || port === '443' ? hostname : `${hostname}:${port}`
}

function parse(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}
