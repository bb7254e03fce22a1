import { searchWords } from '@everscan/contract/schema/folding.ts'
import { canonicalShortCode, codeKeysInUrl } from '@everscan/contract/resources/short-codes.ts'
import type { SearchWord } from '../../db/lists/list-plans.ts'
import { searchText } from './search-text.ts'

/** Fewer characters are in most short codes, so they would find nearly every code. */
const codePartCharsMin = 3
/** Characters of short codes; upper case of other letters may be ASCII (see canonicalShortCode). */
const codePart = /^[A-Za-z0-9-]+$/
/** Characters of exact short codes. */
const exactPart = /^[A-Za-z0-9._~+/-]+$/

/** Returns the words that the name of a code must have. */
export function wordsOfName(search: string): SearchWord[] {
  return eachWord(search, () => ({ place: 'name' }))
}

/**
 * Returns the words that a code must have in its name, its tags, where it leads, or its short code.
 * A short code is found in every way that it can be typed, and by its short URL.
 */
export function wordsAnywhere(q: string, publicUrl?: string): SearchWord[] {
  return eachWord(q, (text, written) => {
    const codes = publicUrl === undefined ? [] : codeKeysInUrl(written, publicUrl)
    return {
      place: 'any',
      ...partsOfCodes(text, written),
      ...(codes.length > 0 && { codes }),
    }
  })
}

function partsOfCodes(text: string, written: string): Pick<SearchWord, 'codeParts'> {
  const parts = new Set([
    ...(codePart.test(text) ? [canonicalShortCode(text)] : []),
    ...(exactPart.test(written) ? [written] : []),
  ])
  return text.length >= codePartCharsMin && parts.size > 0 ? { codeParts: [...parts] } : {}
}

function eachWord(
  search: string,
  rest: (text: string, written: string) => Omit<SearchWord, 'text' | 'olderText'>,
): SearchWord[] {
  const words = new Map<string, SearchWord>()
  for (const written of search.split(/\s+/u)) {
    const texts = searchWords(written)
    for (const text of texts) {
      // A compatibility form such as "½" may be several words, of which no older row knows.
      const olderText = searchText(texts.length === 1 ? written : text)
      words.set(text, { text, olderText, ...rest(text, written) })
    }
  }
  return [...words.values()]
}
