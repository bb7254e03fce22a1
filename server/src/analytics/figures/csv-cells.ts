/**
 * The beginning of a text that a spreadsheet would execute (OWASP, "CSV injection": = + - @, tab,
 * CR and LF, and the full-width forms of the first four), as an expression of every engine.
 */
export const formulaPattern = '^[-=+@\\t\\r\\n－＝＋＠]'
/** A comma, a quote or a line break, as an expression of every engine. */
export const quotedPattern = '[",\\r\\n]'

const [formula, quoted] = [new RegExp(formulaPattern), new RegExp(quotedPattern)]

/**
 * Returns texts as cells. A text that a spreadsheet would execute gets a leading apostrophe. A text
 * with a comma, a quote or a line break is quoted (RFC 4180).
 */
export function csvCells(texts: readonly string[]): string {
  return texts
    .map((text) => (formula.test(text) ? `'${text}` : text))
    .map((text) => (quoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text))
    .join(',')
}
