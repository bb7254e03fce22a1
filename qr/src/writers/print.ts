import type { ColorSpace } from '@everscan/contract/resources/downloads.ts'
import { parseColor } from '../shapes/colors.ts'
import { inksOf } from '../shapes/inks.ts'
import type { Drawing } from '../drawing/drawing.ts'
import { type Path, walkCubicPath } from '../shapes/paths.ts'
import { PictureError } from '../picture.ts'

// The common parts of PDF and PostScript: points, inks, and paths of postfix operators.

export type PrintOptions = {
  /** Width of the printed picture with quiet zone and frame: more than 0, at most 5,000 mm. */
  readonly widthMm: number
  /** Name of the document, any text. By default there is none. */
  readonly title?: string | undefined
  /** The color space of all colors. By default black and white are inks, other colors are RGB. */
  readonly colorSpace?: ColorSpace | undefined
  /** Millimetres by which background and frame continue beyond the picture, 0 by default. */
  readonly bleedMm?: number | undefined
  /** Whether marks outside the picture show where to cut. */
  readonly cropMarks?: boolean | undefined
}

/** PDF's own limit is 14,400 points. */
const widthMmMax = 5000
const ptPerMm = 72 / 25.4

/** Crop marks end outside the bleed, and never touch the picture. */
const markGapMmMin = 2
const markMm = 5

/**
 * Returns the measures of a print in points of 1/72 inch: width, height and size of a module, the
 * bleed, and the whole space around the picture, with the crop marks. Throws `PictureError` for a
 * width out of bounds.
 */
export function measurePrint(drawing: Drawing, { widthMm, bleedMm = 0, cropMarks = false }: PrintOptions) {
  if (!(widthMm > 0 && widthMm <= widthMmMax)) {
    throw new PictureError(
      `"sizeMm" must be a number greater than 0 and at most ${widthMmMax}, got ${widthMm}`,
    )
  }
  const widthPt = (widthMm * 72) / 25.4
  const scale = widthPt / drawing.width
  const gapMm = Math.max(bleedMm, markGapMmMin)
  return {
    widthPt,
    heightPt: drawing.height * scale,
    scale,
    bleedPt: bleedMm * ptPerMm,
    aroundPt: (cropMarks ? gapMm + markMm : bleedMm) * ptPerMm,
    markPt: cropMarks ? markMm * ptPerMm : 0,
  }
}

export type PrintMeasures = ReturnType<typeof measurePrint>

/** Returns the six numbers of the matrix from modules, y down, to points, y up. */
export function printMatrix(drawing: Drawing, { scale, aroundPt }: PrintMeasures): string {
  const left = -drawing.x * scale + aroundPt
  const bottom = (drawing.y + drawing.height) * scale + aroundPt
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
 * Returns the operators for a color. By default black is black ink alone: RGB black would be
 * printed with all four inks, and small modules blur where the plates don't meet. White is no ink.
 * All other colors are left to the printer's color management.
 */
export function writeInk(color: string, operators: InkOperators, colorSpace?: ColorSpace): string {
  const { red, green, blue } = parseColor(color)
  const sum = red + green + blue
  const isInk = colorSpace === 'cmyk' || (colorSpace === undefined && (sum === 0 || sum === 3 * 255))
  return isInk ? `${writeCmyk(color)} ${operators.cmyk}` : `${writeRgb(color)} ${operators.rgb}`
}

/** Returns the parts of a color of a gradient, and the name of their color space. */
export function writeShade(color: string, colorSpace?: ColorSpace): { space: string; parts: string } {
  return colorSpace === 'cmyk'
    ? { space: 'DeviceCMYK', parts: writeCmyk(color) }
    : { space: 'DeviceRGB', parts: writeRgb(color) }
}

function writeCmyk(color: string): string {
  return inksOf(parseColor(color))
    .map((share) => writeNumber(share, 4))
    .join(' ')
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
