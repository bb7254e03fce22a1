import { Type, type Static } from 'typebox'
import { limits } from '../schema/limits.ts'
import { problem } from '../problems/local-problem.ts'
import type { Problem } from '../problems/problem.ts'
import { patterns } from '../schema/patterns.ts'
import type { CodeForm } from '../domains/code-forms.ts'
import { hostnameProblem, normalHostname } from '../domains/host-names.ts'

/**
 * Crockford's base 32, the alphabet of generated short codes: no I, L, O (read as 1, 1, 0) and no
 * U.
 */
export const shortCodeAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** The form of every short code, generated or chosen by a client. */
export const shortCodePattern: RegExp = new RegExp(patterns.shortCode)

/**
 * The code part of a short URL, as a client may choose it, on any host name. `shortCodeProblem`
 * knows what that host name takes.
 */
export const ShortCode = Type.String({
  description:
    'The code part of the short URL: 4 to 32 letters, digits or "-", stored as written. Lookups ignore case ' +
    'and read O as 0, I and L as 1. Default: 7 generated characters. Never reused, even after deletion. ' +
    'On a domain with exact short codes: 1 to 128 letters, digits or "-_.~+/", and case counts.',
  minLength: 1,
  maxLength: limits.exactShortCodeCharsMax,
  pattern: patterns.exactShortCode,
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

/** The parts of the key of a code. Below PUBLIC_URL codes are always canonical. */
export type CodeKeyParts = { shortCode: string; domain: string; codes?: CodeForm | undefined }

/**
 * The key by which a code is looked up and unique: its canonical form, after the host name of its
 * own domain and a slash, if it has one. No host name contains a slash. On a domain with exact
 * short codes the code stands there as written.
 *
 * @example codeKey({ shortCode: 'menu', domain: 'go.example.com' }) // 'go.example.com/MENU'
 */
export function codeKey({ shortCode, domain, codes = 'canonical' }: CodeKeyParts): string {
  if (domain === '') return canonicalShortCode(shortCode)
  return `${domain}/${codes === 'exact' ? shortCode : canonicalShortCode(shortCode)}`
}

/**
 * Returns the host name in the key of a code, empty for PUBLIC_URL, and the code as it is looked up
 * there.
 */
export function partsOfCodeKey(key: string): { domain: string; canonicalCode: string } {
  const end = key.indexOf('/')
  return { domain: end < 0 ? '' : key.slice(0, end), canonicalCode: key.slice(end + 1) }
}

/** Whether a text has the form of a short code. */
export function isShortCode(text: string): boolean {
  return shortCodePattern.test(text)
}

const exactPattern = new RegExp(patterns.exactShortCode)

/** Whether a text has the form of an exact short code, reserved or not. */
export function isExactShortCode(text: string): boolean {
  return exactPattern.test(text)
}

/** Paths that every host answers itself, so that no exact short code is one of them. */
const sitePath = /^(?:robots\.txt|favicon\.ico|\.well-known(?:\/.*)?)$/

/**
 * Returns what is wrong with a chosen short code on a host name whose codes have a form, or
 * undefined.
 */
export function shortCodeProblem(text: string, codes: CodeForm): Problem | undefined {
  if (codes === 'exact') {
    if (!isExactShortCode(text)) return problem('exactShortCodeForm')
    return sitePath.test(text) ? problem('shortCodeOfEveryHost') : undefined
  }
  if (!isShortCode(text)) return problem('shortCodeForm')
  return isReservedShortCode(text) ? problem('shortCodeReserved') : undefined
}

/** Returns what to say of a short code that was ever assigned. */
export function shortCodeTaken(shortCode: string): Problem {
  return problem('shortCodeTaken', { shortCode })
}

/**
 * Paths of the service, and names that browsers and crawlers request at the root. No canonical
 * short code uses them.
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

/**
 * Programs and people leave these around a copied address: spaces, characters without width, and
 * punctuation of any script. Three marks stay: the hyphen, which a code may begin or end with, `@`,
 * and `%`, because a path is decoded once.
 */
const mark = String.raw`(?![-@%])[\s\p{P}\p{Z}\p{Cc}\p{Cf}<>|^\x60´＜＞｜]`
const marksBefore = new RegExp(`^(?:${mark})+`, 'u')
const marksBehind = new RegExp(`(?:${mark})+$`, 'u')

/**
 * Markdown, HTML and other markup go on behind an address with a character that no path may contain
 * (RFC 3986, 3.3).
 */
const markupBehind = /[\][<>"|\\^`{}][^]*$/u

/** Longer texts are no codes: the pattern takes quadratic time. */
const copiedCharsMax = 200

/**
 * Returns a path without what chat and mail programs append to an address: anything from the first
 * `&` or the markup behind it, and punctuation, spaces and slashes at both ends.
 *
 * @example copiedCode('/7K3M9QX).') // '7K3M9QX'
 * @example copiedCode('/7K3M9QX](https://qr.example.com/7K3M9QX)') // '7K3M9QX'
 */
export function copiedCode(path: string): string {
  const text = (path.split('&', 1)[0] ?? '').replace(marksBefore, '').replace(markupBehind, '')
  return text.length > copiedCharsMax ? text : text.replace(marksBehind, '')
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
 * Returns the keys (`codeKey`) of the codes that a short URL of this installation, or one on any
 * other host, would have: a domain may have exact short codes. None for any other text.
 *
 * @example codeKeysInUrl('go.example.com/menu', 'https://qr.example.com')
 * // ['go.example.com/menu', 'go.example.com/MENU']
 */
export function codeKeysInUrl(text: string, publicUrl: string): string[] {
  const own = shortCodeInUrl(text, publicUrl)
  if (own !== undefined) return [canonicalShortCode(own)]
  const [base, address] = [parse(publicUrl), addressIn(text)]
  if (base === undefined || address === undefined || address.hostname === base.hostname) return []
  const domain = normalHostname(address.host)
  const path = decoded(address.pathname)
  if (domain === undefined || hostnameProblem(domain) !== undefined || path === undefined) return []
  const exact = [path.slice(1), copiedCode(path)].filter(isExactShortCode)
  const shortCode = codeOfPath(address, '/')
  return [
    ...new Set([
      ...exact.map((code) => codeKey({ shortCode: code, domain, codes: 'exact' })),
      ...(shortCode === undefined ? [] : [codeKey({ shortCode, domain })]),
    ]),
  ]
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
