import { containsLiterally } from '../../db/dialects/like-pattern.ts'

/**
 * Returns a text in the form that is searched and sorted: without letter case, in any script.
 * Folding happens here and is stored, because SQLite folds ASCII only and PostgreSQL folds by its
 * locale. Upper case first turns ß into ss; the final sigma is folded to the regular one.
 */
export function searchText(text: string): string {
  return text.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}

/**
 * Returns the `like` pattern (with `escape '\'`) of folded texts that contain this text, in any
 * letter case.
 */
export function containsPattern(search: string): string {
  return containsLiterally(searchText(search))
}
