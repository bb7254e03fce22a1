/**
 * Returns the cells of a CSV (RFC 4180), line by line. The reader is separate from the writer, so
 * that it does not repeat the writer's mistakes.
 */
export function readCsv(text: string): string[][] {
  const lines: string[][] = []
  let line: string[] = []
  let at = 0
  while (at < text.length) {
    let cell = ''
    if (text[at] === '"') {
      for (at++; !(text[at] === '"' && text[at + 1] !== '"'); at++) {
        if (at >= text.length) throw new Error('a quote is not closed')
        if (text[at] === '"') at++
        cell += text[at]
      }
      at++
    } else {
      const from = at
      while (at < text.length && !',\n\r"'.includes(text.charAt(at))) at++
      cell = text.slice(from, at)
    }
    line.push(cell)
    const end = text[at++]
    if (end === ',') {
      if (at === text.length) line.push('')
      continue
    }
    if (end !== '\n' && end !== undefined) throw new Error(`a cell ends with ${JSON.stringify(end)}`)
    lines.push(line)
    line = []
  }
  return lines
}
