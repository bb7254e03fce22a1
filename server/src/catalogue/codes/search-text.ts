import { containsLiterally } from '../../db/dialects/like-pattern.ts'

/**
 * A text as it is searched and sorted: without letter case, in any script. Folded here and stored, because SQLite folds ASCII only and
 * PostgreSQL by its locale. Upper case first turns ß into ss; the final sigma is written like any other.
 */
export function searchText(text: string): string {
  return text.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}

/** The `like` pattern (with `escape '\'`) of folded texts that contain a text, in any letter case. */
export function containsPattern(search: string): string {
  return containsLiterally(searchText(search))
}
