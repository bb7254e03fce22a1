/** Returns a heading and the rows as aligned columns; the last column is not padded. */
export function textTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings.map((heading) => heading.toUpperCase()), ...rows]
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => charsOf(line[column] ?? ''))))
  return lines.map((line) => alignedLine(line, widths)).join('\n')
}

/** Returns names and values as two aligned columns. */
export function textPairs(pairs: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...pairs.map(([name]) => name.length))
  return pairs.map((pair) => alignedLine(pair, [width, 0])).join('\n')
}

function alignedLine(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - charsOf(cell))))
    .join('  ')
    .trimEnd()
}

/** The number of code points, which is the width in most terminals. */
function charsOf(text: string): number {
  return Array.from(text).length
}
