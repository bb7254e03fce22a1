import { foldText } from '@everscan/contract/schema/folding.ts'

/**
 * ASCII punctuation and symbols in the order of the Unicode Collation Algorithm (CLDR's root): they
 * come before digits, and digits before letters.
 */
const symbols = '_-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$'

/** Weights in ascending order. Their bytes in UTF-8 sort as the texts do. */
const weights = { end: ' ', space: '!', symbol: 0x22, otherSymbol: 'B', number: 'C' } as const
const symbolWeights = new Map(
  Array.from(symbols, (symbol, at) => [symbol, String.fromCharCode(weights.symbol + at)]),
)

/** Letters of their own that follow another letter, not all letters. */
const after = '\uffee'
const letters: Readonly<Record<string, string>> = { ŋ: `n${after}`, ə: `e${after}`, ĸ: `q${after}` }

/** An entry of a B-tree of PostgreSQL has at most 2,704 bytes, with the ids beside this key. */
const bytesMax = 1_500

/**
 * Returns a key that sorts names as people do when it is compared byte by byte, which SQLite and
 * PostgreSQL do equally: without accents and letter case, numbers by value, symbols before digits
 * before letters. Scripts follow each other as in Unicode. Names that differ only in accents come
 * in the order of their accents. A change of keys needs a migration (record 53).
 *
 * @example nameOrder('Table 2') < nameOrder('Table 10') // true
 */
export function nameOrder(name: string): string {
  const primary = foldText(name)
    .trim()
    .replace(/\p{Nd}+|[^\p{Nd}]/gu, (part) => weightOf(part))
  const accents = name.normalize('NFD').toLowerCase().normalize('NFC')
  return cut(`${primary}${weights.end}${accents}`)
}

function weightOf(part: string): string {
  if (/^\s/u.test(part)) return weights.space
  const symbol = symbolWeights.get(part)
  if (symbol !== undefined) return symbol
  if (/^\p{Nd}/u.test(part)) return numberWeight(part)
  if (/^[\p{P}\p{S}\p{C}\p{Z}]/u.test(part)) return weights.otherSymbol + part
  return letters[part] ?? part
}

/** The number of digits first: a longer number is a greater one. */
function numberWeight(digits: string): string {
  const significant = digits.replace(/^0+(?=.)/, '')
  return `${weights.number}${String.fromCharCode(0x30 + significant.length)}${significant}`
}

function cut(key: string): string {
  let bytes = 0
  let end = 0
  for (const character of key) {
    bytes += Buffer.byteLength(character)
    if (bytes > bytesMax) return key.slice(0, end)
    end += character.length
  }
  return key
}
