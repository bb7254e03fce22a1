import { problem } from '../problems/local-problem.ts'
import type { Problem } from '../problems/problem.ts'
import { limits } from '../schema/limits.ts'
import { writtenTime } from '../schema/written-times.ts'

// Texts in the cells of exports of other products.

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

/** Reads a time as `writtenTime` does. Undefined for no text. */
export function readTime(text: string, nowMs: number): number | undefined | Problem {
  if (text === '') return undefined
  const timeMs = writtenTime(text)
  if (timeMs === undefined) return problem('notDate', { text: shorter(text) })
  if (timeMs < 0 || timeMs > nowMs) return problem('timeBeyond', { text: shorter(text) })
  return timeMs
}
