import type { ErrorDetail } from '@everscan/contract/errors.ts'
import type { Scannability, Style } from '@everscan/contract/styles.ts'
import { parseColor } from '@everscan/qr/colors.ts'
import { pictureDefaults } from '@everscan/qr/picture.ts'
import { ApiError } from '../errors.ts'

/** Below this ratio of dark to light readers begin to fail (measured with three decoders; see the libraries' page). */
const contrastMin = 3

/** What is drawn so far. Other fields are kept and not drawn, and the record says so. */
const drawnFields: readonly (keyof Style)[] = [
  'foregroundColor',
  'backgroundColor',
  'errorCorrection',
  'margin',
]

/** Phones read modules of 0.4 mm from a hand's distance. */
const modulePrintMm = 0.4

/** Throws 422 with the nearest colours that pass, when a picture in these could not be read. */
export function checkScannable(style: Style): void {
  const { foreground, background } = colorsOf(style)
  if (contrastOf(foreground, background) >= contrastMin && luminance(foreground) < luminance(background))
    return
  const suggestion = readableColors(foreground, background)
  const inWords = Object.entries(suggestion)
    .map(([name, value]) => `${name} ${value}`)
    .join(' and ')
  const detail: ErrorDetail = {
    path: 'style.foregroundColor',
    message: `${foreground} must be darker than the background ${background}, with a contrast of at least ${contrastMin}:1, got ${contrastOf(foreground, background)}:1`,
    suggestion,
  }
  const message = `style: a reader could not tell the modules from the background; ${inWords} would pass`
  throw new ApiError(422, 'STYLE_NOT_SCANNABLE', message, { details: [detail] })
}

/**
 * What is known about the picture of a code of so many modules a side. `verified` is false until pictures are read back
 * when they are accepted.
 */
export function scannabilityOf(style: Style, modules: number): Scannability {
  const { foreground, background } = colorsOf(style)
  const marginModules = style.margin ?? pictureDefaults.marginModules
  const notDrawn = Object.keys(style).filter((name) => !drawnFields.includes(name as keyof Style))
  return {
    verified: false,
    contrast: contrastOf(foreground, background),
    minPrintMm: Math.round((modules + 2 * marginModules) * modulePrintMm * 10) / 10,
    warnings: [
      ...(marginModules < 4 ? ['The margin is narrower than the 4 modules that readers are promised.'] : []),
      ...(notDrawn.length > 0 ? [`Not drawn yet: ${notDrawn.join(', ')}.`] : []),
    ],
  }
}

function colorsOf({ foregroundColor, backgroundColor }: Style): { foreground: string; background: string } {
  return {
    foreground: foregroundColor ?? pictureDefaults.foreground,
    background: backgroundColor ?? pictureDefaults.background,
  }
}

/** The ratio of WCAG 2.2, section 1.4.3: 1 to 21, cut to one decimal so that 2.99 never reads as 3. */
export function contrastOf(a: string, b: string): number {
  const [lighter, darker] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return Math.floor(((lighter + 0.05) / (darker + 0.05)) * 10 + 1e-9) / 10
}

/** Relative luminance as WCAG defines it, 0 to 1. */
function luminance(color: string): number {
  const { red, green, blue } = parseColor(color)
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

function linear(part: number): number {
  const share = part / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

/** Swapped when that is all; else the foreground darkened as little as it takes; on a background too dark for any, white. */
function readableColors(
  foreground: string,
  background: string,
): { foregroundColor?: string; backgroundColor?: string } {
  if (contrastOf(foreground, background) >= contrastMin)
    return { foregroundColor: background, backgroundColor: foreground }
  for (let share = 95; share >= 0; share -= 5) {
    const darker = scaled(foreground, share / 100)
    if (contrastOf(darker, background) >= contrastMin && luminance(darker) < luminance(background))
      return { foregroundColor: darker }
  }
  return { foregroundColor: '#000000', backgroundColor: '#FFFFFF' }
}

function scaled(color: string, share: number): string {
  const { red, green, blue } = parseColor(color)
  const hex = [red, green, blue].map((part) =>
    Math.floor(part * share)
      .toString(16)
      .padStart(2, '0'),
  )
  return `#${hex.join('').toUpperCase()}`
}
