import { parseColor } from '../shapes/colors.ts'
import type { Drawing } from '../drawing/drawing.ts'
import { type Path, walkCubicPath } from '../shapes/paths.ts'
import { PictureError } from '../picture.ts'

// The common parts of PDF and PostScript: points, inks, and paths of postfix operators.

export type PrintOptions = {
  /** Width of the printed picture with quiet zone and frame: more than 0, at most 5,000 mm. */
  readonly widthMm: number
  /** Name of the document, any text. By default there is none. */
  readonly title?: string | undefined
}

/** PDF's own limit is 14,400 points. */
const widthMmMax = 5000

/**
 * Returns width, height and size of a module in points of 1/72 inch. Throws `PictureError` for a
 * width out of bounds.
 */
export function measurePrint(drawing: Drawing, widthMm: number) {
  if (!(widthMm > 0 && widthMm <= widthMmMax)) {
    throw new PictureError(
      `"sizeMm" must be a number greater than 0 and at most ${widthMmMax}, got ${widthMm}`,
    )
  }
  const widthPt = (widthMm * 72) / 25.4
  const scale = widthPt / drawing.width
  return { widthPt, heightPt: drawing.height * scale, scale }
}

/** Returns the six numbers of the matrix from modules, y down, to points, y up. */
export function printMatrix(drawing: Drawing, scale: number): string {
  const left = -drawing.x * scale
  const bottom = (drawing.y + drawing.height) * scale
  return [scale, 0, 0, -scale, left, bottom].map((value) => writeNumber(value, 6)).join(' ')
}

/** Returns the fewest digits of a rounded number. Neither format has exponents. */
export function writeNumber(value: number, decimals = 3): string {
  const text = value.toFixed(decimals)
  if (!text.includes('.')) return text
  const short = text.replace(/\.?0+$/, '').replace(/^(-?)0\./, '$1.')
  return short === '-' || short === '' || short === '-0' ? '0' : short
}

export type InkOperators = { readonly cmyk: string; readonly rgb: string }

/**
 * Returns the operators for a color. Black is black ink alone: RGB black would be printed with all
 * four inks, and small modules blur where the plates don't meet. White is no ink. All other colors
 * are left to the printer's color management.
 */
export function writeInk(color: string, operators: InkOperators): string {
  const { red, green, blue } = parseColor(color)
  if (red + green + blue === 0) return `0 0 0 1 ${operators.cmyk}`
  if (red + green + blue === 3 * 255) return `0 0 0 0 ${operators.cmyk}`
  return `${writeRgb(color)} ${operators.rgb}`
}

/** Returns the three parts as shares of 1. */
export function writeRgb(color: string): string {
  const { red, green, blue } = parseColor(color)
  return [red, green, blue].map((part) => writeNumber(part / 255, 4)).join(' ')
}

/** Returns a path as operators m, l, c, h, named as in PDF, in lines of about 200 characters. */
export function writePrintPath(path: Path): string {
  const lines: string[] = []
  let line = ''
  const write = (operator: string, ...values: number[]) => {
    line += `${values.map((value) => `${writeNumber(value)} `).join('')}${operator} `
    if (line.length < 160) return
    lines.push(line.trimEnd())
    line = ''
  }
  walkCubicPath(path, {
    move: (x, y) => write('m', x, y),
    line: (x, y) => write('l', x, y),
    cubic: (x1, y1, x2, y2, x, y) => write('c', x1, y1, x2, y2, x, y),
    close: () => write('h'),
  })
  lines.push(line.trimEnd())
  return lines.join('\n')
}
