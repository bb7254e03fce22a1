import { parseColor } from './colors.ts'
import type { Matrix } from './matrix.ts'
import { type Outline, traceOutlines } from './outlines.ts'
import { completePictureOptions, type PictureOptions } from './picture.ts'

export type SvgOptions = PictureOptions & {
  /** What assistive technology reads out, any text. Absent: no title. */
  readonly title?: string | undefined
}

/**
 * Draws a plain SVG: a background and one path, two elements however many modules there are. At most 3 KB up to
 * version 4. Throws `PictureError` for options out of bounds.
 */
export function drawSvg(matrix: Matrix, options: SvgOptions = {}): string {
  const { sizePx, marginModules, foreground, background } = completePictureOptions(options)
  parseColor(foreground)
  parseColor(background)
  // The margin is in the view box, so the path is the same for every margin.
  const span = matrix.size + 2 * marginModules
  const origin = -marginModules
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${sizePx}" height="${sizePx}"` +
    ` viewBox="${origin} ${origin} ${span} ${span}" shape-rendering="crispEdges"` +
    (options.title === undefined ? '>' : ` role="img"><title>${escapeXml(options.title)}</title>`) +
    `<path fill="${escapeXml(background)}" d="M${origin} ${origin}h${span}v${span}H${origin}z"/>` +
    `<path fill="${escapeXml(foreground)}" d="${writePath(traceOutlines(matrix))}"/></svg>`
  )
}

/** SVG path data of outlines, in the fewest characters: relative sides, and each start in its shorter form. */
export function writePath(outlines: readonly Outline[]): string {
  let path = ''
  let fromX = 0
  let fromY = 0
  for (const outline of outlines) {
    const [startX = 0, startY = 0] = outline
    path += shorter(`M${writePair(startX, startY)}`, `m${writePair(startX - fromX, startY - fromY)}`)
    path += writeSides(outline)
    // After z the current point is the start again.
    fromX = startX
    fromY = startY
  }
  return path
}

function writeSides(outline: Outline): string {
  let sides = ''
  // z draws the last side.
  for (let at = 2; at < outline.length; at += 2) {
    const across = (outline[at] ?? 0) - (outline[at - 2] ?? 0)
    const down = (outline[at + 1] ?? 0) - (outline[at - 1] ?? 0)
    sides += across === 0 ? `v${down}` : `h${across}`
  }
  return `${sides}z`
}

const writePair = (x: number, y: number) => (y < 0 ? `${x}${y}` : `${x} ${y}`)

const shorter = (a: string, b: string) => (b.length < a.length ? b : a)

const xmlEntities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Characters that XML 1.0 forbids, even escaped, become U+FFFD: one of them makes the whole file unreadable. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\u{fffd}')
    .replace(/[&<>"']/g, (character) => xmlEntities[character] ?? '')
}
