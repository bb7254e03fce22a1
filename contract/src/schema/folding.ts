/**
 * Marks that searches ignore: accents of Latin, Greek and Cyrillic, vowel signs of Hebrew and
 * Arabic. Vowel signs of Indic scripts are letters to their readers, so they stay.
 */
const marks = new RegExp(
  `[${[
    '\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f',
    '\\u0591-\\u05c7\\u0610-\\u061a\\u064b-\\u065f\\u0670',
  ].join('')}]`,
  'gu',
)

/** Letters that Unicode does not decompose, and what people type for them. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŧ: 't',
  þ: 'th',
  ς: 'σ',
}
const plainLetter = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'gu')

/**
 * Returns a text in the form that searches compare: without letter case, accents and compatibility
 * forms, in any script.
 *
 * @example foldText('Crème Brûlée №①') // 'creme brulee no1'
 */
export function foldText(text: string): string {
  // Upper case first turns ß into ss. The dots of İ and ё are marks after the decomposition.
  return text
    .normalize('NFKD')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(marks, '')
    .replace(plainLetter, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFC')
}

/** Returns the words of a search, folded, each once. */
export function searchWords(search: string): string[] {
  return [...new Set(foldText(search).split(/\s+/u))].filter((word) => word !== '')
}

/** Returns whether a text contains all words of `searchWords`, in any order. */
export function hasWords(text: string, words: readonly string[]): boolean {
  const folded = foldText(text)
  return words.every((word) => folded.includes(word))
}
