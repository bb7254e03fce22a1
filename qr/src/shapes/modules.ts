import type { Style } from '@everscan/contract/resources/styles.ts'
import type { Matrix } from '../content/matrix.ts'
import { type Outline, traceOutlines } from './outlines.ts'
import { operation } from './paths.ts'
import { type Corner, pushCircle, pushRoundedContour, type Radii } from './shapes.ts'

/**
 * Diameter of the circles of `dots`, in modules. Measured with zxing's strict mode at 2 to 7 pixels
 * per module, versions 2 to 7: with 0.6 it fails on pictures of 2.5 pixels per module, from 0.7 on
 * it reads all. 0.9 leaves room for the losses of ink and lenses, and still shows circles.
 */
const dotDiameter = 0.9

/** The maximum radius of a module's corner: a single module is then a circle. */
const radiusMax = 0.5

/** The look of the dark modules outside the eyes. */
export type ModuleLook =
  | { readonly kind: 'dots' }
  /** Radii of the outer corners by direction, and of the corners where dark surrounds light. */
  | { readonly kind: 'outline'; readonly radii: Radii; readonly innerRadius: number }

/**
 * Returns the look for `dotStyle` and `cornerRadius`. `cornerRadius` is a percentage of half a
 * module:
 *
 * - `square`: rounds every outer corner by `cornerRadius`, by default 0. Neighbours form one
 *   shape.
 * - `rounded`: the same, but 100 by default: single modules are circles, rows have round ends.
 * - `extra-rounded`: also rounds the inner corners, so that shapes flow into each other; 100 by
 *   default.
 * - `classy`: rounds the top left and bottom right corners, like a leaf, and leaves the other two
 *   sharp; 100 by default.
 * - `classy-rounded`: a leaf whose other two corners are rounded half as much; 100 by default.
 * - `dots`: a circle for each module. `cornerRadius` has no effect.
 */
export function moduleLook(style: Style): ModuleLook {
  const dotStyle = style.dotStyle ?? 'square'
  if (dotStyle === 'dots') return { kind: 'dots' }
  const radius = radiusMax * moduleRoundness(style)
  const { other, inner } = roundedShares[dotStyle]
  return {
    kind: 'outline',
    radii: [radius, radius * other, radius, radius * other],
    innerRadius: radius * inner,
  }
}

/** Rounding of the other corners and of the inner corners, as shares of the top left one. */
const roundedShares = {
  square: { other: 1, inner: 0 },
  rounded: { other: 1, inner: 0 },
  'extra-rounded': { other: 1, inner: 1 },
  classy: { other: 0, inner: 0 },
  'classy-rounded': { other: 0.5, inner: 0 },
} as const

/** Returns the roundness of the modules, 0 to 1. Eyes without a style of their own follow it. */
export function moduleRoundness({ dotStyle = 'square', cornerRadius }: Style): number {
  if (dotStyle === 'dots') return 1
  return (cornerRadius ?? (dotStyle === 'square' ? 0 : 100)) / 100
}

/** Appends the dark modules of a matrix to a path. */
export function pushModules(path: number[], matrix: Matrix, look: ModuleLook) {
  if (look.kind === 'outline') {
    const isSharp = look.innerRadius === 0 && look.radii.every((radius) => radius === 0)
    for (const outline of traceOutlines(matrix)) {
      if (isSharp) pushSharpContour(path, outline)
      else pushRoundedContour(path, roundCorners(outline, look))
    }
    return
  }
  const { size, modules } = matrix
  for (let at = 0; at < modules.length; at++) {
    if (!modules[at]) continue
    const centre = { x: (at % size) + 0.5, y: Math.trunc(at / size) + 0.5 }
    pushCircle(path, centre, dotDiameter / 2)
  }
}

/**
 * Gives the same path as radii of 0, without an object for each corner. Plain pictures consist of
 * such contours.
 */
function pushSharpContour(path: number[], outline: Outline) {
  for (let at = 0; at < outline.length; at += 2) {
    path.push(at === 0 ? operation.move : operation.line, outline[at] ?? 0, outline[at + 1] ?? 0)
  }
  path.push(operation.close)
}

/**
 * Returns the corners of an outline with their radii. Sides are whole modules, so two radii of a
 * half always fit.
 */
function roundCorners(outline: Outline, look: { radii: Radii; innerRadius: number }): Corner[] {
  const corners: Corner[] = []
  const { length } = outline
  for (let at = 0; at < length; at += 2) {
    const x = outline[at] ?? 0
    const y = outline[at + 1] ?? 0
    const inX = x - (outline[(at + length - 2) % length] ?? 0)
    const inY = y - (outline[(at + length - 1) % length] ?? 0)
    const outX = (outline[(at + 2) % length] ?? 0) - x
    const outY = (outline[(at + 3) % length] ?? 0) - y
    // The dark side is on the right, so a turn to the right is an outer corner.
    const isOuter = inX * outY - inY * outX > 0
    corners.push({ x, y, radius: isOuter ? look.radii[cornerIndex(inX, inY)] : look.innerRadius })
  }
  return corners
}

/** Returns the index in `Radii` of the outer corner after a side in this direction. */
function cornerIndex(inX: number, inY: number): 0 | 1 | 2 | 3 {
  if (inX > 0) return 1
  if (inX < 0) return 3
  return inY > 0 ? 2 : 0
}
