/**
 * Returns the word with the fewest changed letters, at most a third of its letters plus one;
 * undefined if no word is that near.
 */
export function nearestWord(typed: string, words: readonly string[]): string | undefined {
  const near = words
    .map((word) => ({ word, distance: editDistance(typed.toLowerCase(), word) }))
    .filter(({ word, distance }) => distance <= 1 + word.length / 3)
    .sort((one, other) => one.distance - other.distance)
  return near[0]?.word
}

/** Levenshtein distance: the number of letters to insert, remove or replace. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (const [line, letter] of Array.from(one).entries()) {
    const next = [line + 1]
    for (const [column, otherLetter] of Array.from(other).entries())
      next.push(
        Math.min(
          (next[column] ?? 0) + 1,
          (row[column + 1] ?? 0) + 1,
          (row[column] ?? 0) + (letter === otherLetter ? 0 : 1),
        ),
      )
    row = next
  }
  return row.at(-1) ?? 0
}

/** Returns a sentence with a leading space; an empty text without a word. */
export function didYouMean(word: string | undefined): string {
  return word === undefined ? '' : ` Did you mean "${word}"?`
}
