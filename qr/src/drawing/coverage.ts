import { type Path, walkPath } from '../shapes/paths.ts'

/** Maps module coordinates to pixel coordinates. */
export type PixelMap = { readonly x: (modules: number) => number; readonly y: (modules: number) => number }

/** The maximum distance of a straight piece from its curve: less than steps of coverage show. */
const tolerancePx = 0.04

/**
 * Returns the straight pieces of a path in pixels: start x, start y, end x, end y of each.
 * Horizontal pieces are left out.
 */
export function flattenPath(path: Path, map: PixelMap): Float64Array {
  const pieces: number[] = []
  let startX = 0
  let startY = 0
  let penX = 0
  let penY = 0
  const lineTo = (x: number, y: number) => {
    if (y !== penY) pieces.push(penX, penY, x, y)
    penX = x
    penY = y
  }
  const cubicTo = (x1: number, y1: number, x2: number, y2: number, x: number, y: number) => {
    const [x0, y0] = [penX, penY]
    const bend = Math.max(
      Math.abs(x0 - 2 * x1 + x2) + Math.abs(y0 - 2 * y1 + y2),
      Math.abs(x1 - 2 * x2 + x) + Math.abs(y1 - 2 * y2 + y),
    )
    // The second derivative is at most 6 × bend. The error of a chord over 1 / n of the curve is
    // at most an eighth of that / n².
    const count = Math.ceil(Math.sqrt((0.75 * bend) / tolerancePx))
    for (let step = 1; step < count; step++) {
      const t = step / count
      const s = 1 - t
      const [a, b, c, d] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t]
      lineTo(a * x0 + b * x1 + c * x2 + d * x, a * y0 + b * y1 + c * y2 + d * y)
    }
    lineTo(x, y)
  }
  walkPath(path, {
    move(x, y) {
      startX = penX = map.x(x)
      startY = penY = map.y(y)
    },
    line: (x, y) => lineTo(map.x(x), map.y(y)),
    quadratic(x1, y1, x, y) {
      const [toX, toY] = [map.x(x), map.y(y)]
      const [handleX, handleY] = [(2 * map.x(x1)) / 3, (2 * map.y(y1)) / 3]
      cubicTo(penX / 3 + handleX, penY / 3 + handleY, toX / 3 + handleX, toY / 3 + handleY, toX, toY)
    },
    cubic: (x1, y1, x2, y2, x, y) => cubicTo(map.x(x1), map.y(y1), map.x(x2), map.y(y2), map.x(x), map.y(y)),
    close: () => lineTo(startX, startY),
  })
  return Float64Array.from(pieces)
}

/**
 * Computes exactly how much of each pixel a path covers, one band of lines at a time. Each piece
 * adds the area to its right to the pixels it crosses, signed by its direction. The running sum
 * along a line is the coverage.
 */
export class Coverage {
  private readonly widthPx: number
  private readonly pieces: Float64Array
  /** The pieces that cross each band. */
  private readonly bands: number[][]

  constructor(pieces: Float64Array, { widthPx, heightPx }: { widthPx: number; heightPx: number }) {
    this.widthPx = widthPx
    this.pieces = pieces
    this.bands = Array.from({ length: Math.ceil(heightPx / bandLines) }, () => [])
    for (let at = 0; at < pieces.length; at += 4) {
      const y0 = pieces[at + 1] ?? 0
      const y1 = pieces[at + 3] ?? 0
      const last = Math.min(this.bands.length - 1, Math.floor(Math.max(y0, y1) / bandLines))
      for (let band = Math.max(0, Math.floor(Math.min(y0, y1) / bandLines)); band <= last; band++) {
        this.bands[band]?.push(at)
      }
    }
  }

  /** Adds a band to `sums`, lines of `widthPx` + 2 zeros. Returns whether it added anything. */
  addBand(band: number, sums: Float64Array): boolean {
    const places = this.bands[band] ?? []
    for (const at of places) this.addPiece(at, band * bandLines, sums)
    return places.length > 0
  }

  private addPiece(at: number, top: number, sums: Float64Array) {
    const { pieces } = this
    const isDown = (pieces[at + 1] ?? 0) < (pieces[at + 3] ?? 0)
    const from = isDown ? at : at + 2
    const to = isDown ? at + 2 : at
    const x0 = pieces[from] ?? 0
    const y0 = (pieces[from + 1] ?? 0) - top
    const y1 = (pieces[to + 1] ?? 0) - top
    const slope = ((pieces[to] ?? 0) - x0) / (y1 - y0)
    const lineEnd = Math.min(bandLines, Math.ceil(y1))
    for (let line = Math.max(0, Math.floor(y0)); line < lineEnd; line++) {
      const upper = Math.max(line, y0)
      const lower = Math.min(line + 1, y1)
      const height = isDown ? upper - lower : lower - upper
      this.addSlice(sums, line * (this.widthPx + 2), {
        x0: x0 + (upper - y0) * slope,
        x1: x0 + (lower - y0) * slope,
        height,
      })
    }
  }

  /** Adds the part of a piece in one line: each pixel it crosses takes a share of its height. */
  private addSlice(sums: Float64Array, start: number, { x0, x1, height }: Slice) {
    const left = clamp(Math.min(x0, x1), this.widthPx)
    const right = clamp(Math.max(x0, x1), this.widthPx)
    const first = Math.floor(left)
    const last = Math.floor(right)
    if (first === last) {
      addArea(sums, start + first, height, (left + right) / 2 - first)
      return
    }
    const perPixel = height / (right - left)
    addArea(sums, start + first, perPixel * (first + 1 - left), (left - first + 1) / 2)
    for (let x = first + 1; x < last; x++) addArea(sums, start + x, perPixel, 0.5)
    addArea(sums, start + last, perPixel * (right - last), (right - last) / 2)
  }
}

type Slice = { readonly x0: number; readonly x1: number; readonly height: number }

/** Lines in a band: a band of pixels stays in the processor's cache. */
export const bandLines = 32

const clamp = (x: number, widthPx: number) => Math.min(Math.max(x, 0), widthPx)

/**
 * Adds a slice of `height` whose middle is at `x` within its pixel. It covers that pixel from there
 * on, and all of the next pixels.
 */
function addArea(sums: Float64Array, at: number, height: number, x: number) {
  sums[at] = (sums[at] ?? 0) + height * (1 - x)
  sums[at + 1] = (sums[at + 1] ?? 0) + height * x
}
