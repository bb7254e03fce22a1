import type { Matrix } from '../content/matrix.ts'

/** The light margin that readers expect around a code (ISO/IEC 18004, 6.3.8), in modules. */
const quietZone = 4

const blackOnWhite = '\u001b[38;2;0;0;0;48;2;255;255;255m'
const reset = '\u001b[0m'

/** The characters of two modules, one above the other: the upper is worth 2, the lower 1. */
const halves = [' ', '▄', '▀', '█'] as const

/**
 * Returns a picture of a code for a terminal: lines of `size + 8` characters, each of which shows
 * two modules, one above the other. Colors are set for every line, because phones read no inverted
 * codes and many terminals are dark.
 */
export function drawTerminal({ size, modules }: Matrix): string {
  const isDark = (x: number, y: number): boolean =>
    x >= 0 && x < size && y >= 0 && y < size && modules[y * size + x] === 1
  const lines: string[] = []
  for (let y = -quietZone; y < size + quietZone; y += 2) {
    let line = ''
    for (let x = -quietZone; x < size + quietZone; x++)
      line += halves[(isDark(x, y) ? 2 : 0) + (isDark(x, y + 1) ? 1 : 0)]
    lines.push(`${blackOnWhite}${line}${reset}`)
  }
  return `${lines.join('\n')}\n`
}
