import { limits } from '../schema/limits.ts'

// Texts in the cells of exports of other products.

/** Why a cell cannot be taken. */
export class Problem {
  readonly message: string

  constructor(message: string) {
    this.message = message
  }
}

/** Removes the apostrophe that spreadsheets write before text which they would calculate. */
export function plainText(text: string): string {
  return /^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text
}

/** One line of at most `charsMax` characters, by default as names are. */
export function lineOf(text: string, charsMax: number = limits.nameCharsMax): string {
  const line = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return Array.from(line.replace(/\p{Surrogate}/gu, '\uFFFD'))
    .slice(0, charsMax)
    .join('')
    .trim()
}

/** Returns a short code, or the one at the end of a short URL; empty if there is none. */
export function codeIn(text: string): string {
  const path = text.replace(/^(https?:)?\/\//i, '')
  const isUrl = path !== text || /^[^/]+\.[^/]+\//.test(text)
  if (isUrl && !path.includes('/')) return ''
  return decoded((isUrl ? path.slice(path.indexOf('/') + 1) : text).replace(/^\/+|\/+$|[?#].*$/g, ''))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function shorter(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

const zoneless = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?$/
const zoned = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)? ?(Z|UTC|[+-]\d\d:?\d\d)$/i
const inWords = /^(\w{3,9},? )?(\w{3,9} \d{1,2}|\d{1,2} \w{3,9}),? \d{4}( \d{1,2}:\d\d(:\d\d)?( ?[AP]M)?)?$/i

/**
 * Reads a time: ISO 8601, a date with a time as databases write it, a date with the English name of
 * its month, seconds or milliseconds since 1970. Without a zone it is UTC. Undefined for no text.
 */
export function readTime(text: string, nowMs: number): number | undefined | Problem {
  if (text === '') return undefined
  const timeMs = timeOf(text)
  if (timeMs === undefined || !Number.isFinite(timeMs))
    return new Problem(
      `"${shorter(text)}" is no date that is read here, such as 2026-01-31 or 2026-01-31T09:30:00Z`,
    )
  if (timeMs < 0 || timeMs > nowMs) return new Problem(`"${shorter(text)}" is before 1970 or in the future`)
  return timeMs
}

function timeOf(text: string): number | undefined {
  if (/^\d{10}$/.test(text)) return Number(text) * 1_000
  if (/^\d{13}$/.test(text)) return Number(text)
  const [isZoneless, date, time = '00:00'] = zoneless.exec(text) ?? []
  if (isZoneless !== undefined) return isDate(date ?? '') ? Date.parse(`${date}T${time}Z`) : undefined
  if (zoned.test(text))
    return isDate(text.slice(0, 10))
      ? Date.parse(text.replace(' ', 'T').replace(/ ?(Z|UTC)$/i, 'Z'))
      : undefined
  return inWords.test(text) ? Date.parse(`${text} UTC`) : undefined
}

/** Whether a date exists: engines read February 30 as a day in March. */
function isDate(date: string): boolean {
  const timeMs = Date.parse(`${date}T00:00:00Z`)
  return Number.isFinite(timeMs) && new Date(timeMs).toISOString().startsWith(date)
}
