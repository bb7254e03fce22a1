/**
 * Returns a text without letter case, in any script: folders beside each other differ in it.
 * Searches also fold accents, see `foldText`. Folding happens here and is stored, because SQLite
 * folds ASCII only and PostgreSQL folds by its locale. Upper case first turns ß into ss; the final
 * sigma is folded to the regular one.
 */
export function searchText(text: string): string {
  return text.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}
