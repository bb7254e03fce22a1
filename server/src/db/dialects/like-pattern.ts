/** The `like` pattern (with `escape '\'`) of texts that contain one, whose `%` and `_` mean themselves. */
export function containsLiterally(text: string): string {
  return `%${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`
}
