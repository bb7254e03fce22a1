/**
 * Returns the `like` pattern (with `escape '\'`) of texts that contain this text. `%` and `_` lose
 * their special meaning.
 */
export function containsLiterally(text: string): string {
  return `%${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`
}
