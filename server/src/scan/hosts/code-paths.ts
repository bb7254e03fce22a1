import {
  canonicalShortCode,
  copiedCode,
  isReservedShortCode,
  isShortCode,
  reservedShortCodes,
} from '@everscan/contract/resources/short-codes.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { Asked } from '../visit.ts'

/**
 * Returns the canonical code in a path and what is requested of it, or `undefined` if the path is
 * not that of a short URL. Most pictures contain the canonical form, so that is tried first,
 * character by character, at a tenth of the cost of the expressions.
 */
export function codeOf(url: string): { code: string; asked: Asked } | undefined {
  if (isCanonicalPath(url)) {
    const code = url.slice(1)
    return reservedShortCodes.has(code) ? undefined : { code, asked: 'scan' }
  }
  const end = url.indexOf('?')
  const path = decodedPath(end < 0 ? url : url.slice(0, end))
  if (path === undefined) return undefined
  // First as it is, then without what programs and people append.
  return codeIn(path.slice(1)) ?? codeIn(copiedCode(path))
}

export const contactEnding = '.vcf'

function codeIn(text: string): { code: string; asked: Asked } | undefined {
  const asked = text.toLowerCase().endsWith(contactEnding) ? 'contact' : 'scan'
  const code = asked === 'contact' ? text.slice(0, -contactEnding.length) : text
  if (!isShortCode(code) || isReservedShortCode(code)) return undefined
  return { code: canonicalShortCode(code), asked }
}

export function decodedPath(path: string): string | undefined {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/**
 * Returns whether a path is a slash and 4 to 32 characters of Crockford's alphabet (or U) in upper
 * case.
 */
function isCanonicalPath(url: string): boolean {
  const { length } = url
  if (length < 1 + limits.shortCodeCharsMin || length > 1 + limits.shortCodeCharsMax) return false
  for (let i = 1; i < length; i++) {
    const c = url.charCodeAt(i)
    const digit = c >= 48 && c <= 57
    const letter = c >= 65 && c <= 90 && c !== 73 && c !== 76 && c !== 79
    if (!digit && !letter) return false
  }
  return true
}
