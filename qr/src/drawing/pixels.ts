import { type Color, parseColor } from '../shapes/colors.ts'
import { bandLines, Coverage, flattenPath, type PixelMap } from './coverage.ts'
import { type Drawing, type PathLayer, pictureHeightPx } from './drawing.ts'
import { PictureError } from '../picture.ts'

/** A picture of few colors. Each pixel is an index into the palette. */
export type Pixels = {
  readonly widthPx: number
  readonly heightPx: number
  /** At most 256. The first is the background: alpha 0 in a transparent picture. */
  readonly palette: readonly Required<TransparentColor>[]
  /** One byte per pixel, line by line. */
  readonly indexes: Uint8Array
}

type TransparentColor = Color & { readonly alpha: number }

/** Steps between two colors at an edge. The colors and their blends are 16, which fit 4 bits. */
const steps = 15
const colorsMax = 256

/**
 * Draws the pixels of a flat drawing, `sizePx` wide, with anti-aliased edges. The same drawing
 * always gives the same pixels. Throws `PictureError` for a size below one pixel per module, and
 * `TypeError` for a drawing with a gradient or logo.
 */
export function drawPixels(drawing: Drawing, sizePx: number): Pixels {
  if (sizePx < drawing.width) {
    throw new PictureError(`"size" must be at least ${drawing.width} for this picture, got ${sizePx}`)
  }
  const heightPx = pictureHeightPx(drawing, sizePx)
  const palette = new Palette(backgroundOf(drawing))
  const map = mapPixels(drawing, sizePx, heightPx)
  const layers = flatLayers(drawing).map(({ path, color }) => ({
    color,
    coverage: new Coverage(flattenPath(path, map), { widthPx: sizePx, heightPx }),
  }))
  const indexes = new Uint8Array(sizePx * heightPx)
  const sums = new Float64Array((sizePx + 2) * bandLines)
  for (let band = 0; band * bandLines < heightPx; band++) {
    const from = band * bandLines
    const lines = indexes.subarray(from * sizePx, Math.min(heightPx, from + bandLines) * sizePx)
    for (const [at, { color, coverage }] of layers.entries()) {
      if (!coverage.addBand(band, sums)) continue
      blendBand(lines, sums, {
        widthPx: sizePx,
        blend: (under, step) => palette.blend(under, at, color, step),
      })
    }
  }
  return { widthPx: sizePx, heightPx, palette: palette.colors, indexes }
}

function backgroundOf({ layers }: Drawing): TransparentColor {
  const box = layers.find((layer) => layer.kind === 'box')
  return box ? { ...parseColor(box.fill), alpha: 255 } : { red: 0, green: 0, blue: 0, alpha: 0 }
}

function flatLayers({ layers }: Drawing): { path: PathLayer['path']; color: Color }[] {
  return layers.flatMap((layer) => {
    if (layer.kind === 'box') return []
    if (layer.kind === 'logo' || typeof layer.fill !== 'string') {
      throw new TypeError('a picture with a gradient or a logo is drawn from its SVG')
    }
    return [{ path: layer.path, color: parseColor(layer.fill) }]
  })
}

type Blending = { readonly widthPx: number; readonly blend: (under: number, step: number) => number }

/** Blends a band's coverage over its pixels and resets the sums to 0 for the next band. */
function blendBand(lines: Uint8Array, sums: Float64Array, { widthPx, blend }: Blending) {
  for (let start = 0, line = 0; start < lines.length; start += widthPx, line++) {
    let sum = 0
    let step = 0
    const row = line * (widthPx + 2)
    for (let x = 0; x < widthPx; x++) {
      const change = sums[row + x] ?? 0
      if (change !== 0) {
        sum += change
        step = Math.round(Math.min(1, Math.abs(sum)) * steps)
        sums[row + x] = 0
      }
      if (step !== 0) lines[start + x] = blend(lines[start + x] ?? 0, step)
    }
    sums[row + widthPx] = 0
    sums[row + widthPx + 1] = 0
  }
}

/** Grows with the blends that occur, in order of occurrence. */
class Palette {
  readonly colors: TransparentColor[]
  private readonly places = new Map<number, number>()
  private readonly blends = new Map<number, number>()

  constructor(background: TransparentColor) {
    this.colors = [background]
    this.places.set(packColor(background), 0)
  }

  /**
   * Returns the index of the blend of a layer's color over the color at index `under`, where it
   * covers `step` of `steps`.
   */
  blend(under: number, layer: number, color: Color, step: number): number {
    const key = (layer * colorsMax + under) * (steps + 1) + step
    let place = this.blends.get(key)
    if (place === undefined) {
      place = this.add(blendColors(this.colors[under] ?? { ...color, alpha: 0 }, color, step / steps))
      this.blends.set(key, place)
    }
    return place
  }

  private add(color: TransparentColor): number {
    const packed = packColor(color)
    const known = this.places.get(packed)
    if (known !== undefined) return known
    if (this.colors.length === colorsMax) return this.findNearest(color)
    this.places.set(packed, this.colors.length)
    return this.colors.push(color) - 1
  }

  /** A palette fills up only with blends, where edges of several colors meet in very many ways. */
  private findNearest(color: TransparentColor): number {
    const distances = this.colors.map(
      (one) =>
        Math.abs(one.red - color.red) +
        Math.abs(one.green - color.green) +
        Math.abs(one.blue - color.blue) +
        Math.abs(one.alpha - color.alpha),
    )
    return distances.indexOf(Math.min(...distances))
  }
}

const packColor = ({ red, green, blue, alpha }: TransparentColor) =>
  ((red * 256 + green) * 256 + blue) * 256 + alpha

/** Returns `color` over `under`, with an opacity of `share`, 0 to 1. */
function blendColors(under: TransparentColor, color: Color, share: number): TransparentColor {
  const below = (under.alpha / 255) * (1 - share)
  const alpha = share + below
  const mix = (above: number, beneath: number) => Math.round((above * share + beneath * below) / alpha)
  return {
    red: mix(color.red, under.red),
    green: mix(color.green, under.green),
    blue: mix(color.blue, under.blue),
    alpha: Math.round(alpha * 255),
  }
}

/** The maximum stretch of margin and frame that gives modules a whole number of pixels. */
const stretchMax = 1.12

/**
 * Maps modules to pixels. Each module is the same whole number of pixels, so that straight edges
 * are sharp. The remaining pixels go evenly to the quiet zone (an odd one to the right and the
 * bottom), as in a plain picture. With a frame, the remaining pixels also stretch the frame, and
 * its edges lie on whole pixels too. In small pictures that would stretch the frame too much, so
 * everything is in proportion instead.
 */
function mapPixels(drawing: Drawing, widthPx: number, heightPx: number): PixelMap {
  const { size, quiet } = drawing
  const modulePx = Math.floor(widthPx / drawing.width)
  const offsetPx = Math.trunc((widthPx - size * modulePx) / 2)
  if (drawing.width === quiet.width) {
    return { x: (modules) => offsetPx + modules * modulePx, y: (modules) => offsetPx + modules * modulePx }
  }
  const scale = widthPx / drawing.width
  const outerPx = (widthPx - size * modulePx) / (drawing.width - size)
  if (outerPx / modulePx > stretchMax) {
    return { x: (modules) => (modules - drawing.x) * scale, y: (modules) => (modules - drawing.y) * scale }
  }
  const topPx = Math.round(-drawing.y * outerPx)
  return {
    x: interpolate([
      { modules: drawing.x, px: 0 },
      { modules: quiet.x, px: Math.round((quiet.x - drawing.x) * outerPx) },
      { modules: 0, px: offsetPx },
      { modules: size, px: offsetPx + size * modulePx },
      { modules: quiet.x + quiet.width, px: widthPx - Math.round((quiet.x - drawing.x) * outerPx) },
      { modules: drawing.x + drawing.width, px: widthPx },
    ]),
    y: interpolate([
      { modules: drawing.y, px: 0 },
      { modules: quiet.y, px: Math.round((quiet.y - drawing.y) * outerPx) },
      { modules: 0, px: topPx },
      { modules: size, px: topPx + size * modulePx },
      {
        modules: quiet.y + quiet.height,
        px: heightPx - Math.round((drawing.y + drawing.height - quiet.y - quiet.height) * outerPx),
      },
      { modules: drawing.y + drawing.height, px: heightPx },
    ]),
  }
}

type Mark = { readonly modules: number; readonly px: number }

/** Interpolates linearly between neighboring marks. */
function interpolate(marks: readonly Mark[]): (modules: number) => number {
  return (modules) => {
    const found = marks.findIndex((mark) => modules <= mark.modules)
    const next = found < 0 ? marks.length - 1 : Math.max(1, found)
    const from = marks[next - 1]
    const to = marks[next]
    if (!from || !to || to.modules === from.modules) return to?.px ?? 0
    return from.px + ((modules - from.modules) * (to.px - from.px)) / (to.modules - from.modules)
  }
}
