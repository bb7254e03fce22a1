import type { Style } from '@everscan/contract/resources/styles.ts'
import type { Matrix } from '../content/matrix.ts'
import { type Outline, traceOutlines } from './outlines.ts'
import { operation } from './paths.ts'
import { type Corner, pushCircle, pushRoundedContour, type Radii } from './shapes.ts'

/**
 * Diameter of the circles of `dots`, in modules. Measured with zxing's strict mode at 2 to 7 pixels a module, versions
 * 2 to 7: with 0.6 it gives up on pictures of 2.5 pixels, from 0.7 it reads all. 0.9 leaves room for what ink and
 * lenses take away, and still shows circles.
 */
const dotDiameter = 0.9

/** The most that a module's corner can be rounded: the curves of a single module then meet, as a circle. */
const radiusMost = 0.5

/** How the dark modules outside the eyes are drawn. */
export type ModuleLook =
  | { readonly kind: 'dots' }
  /** Radii of the corners by the way they point, and of the inner corners, where dark surrounds light. */
  | { readonly kind: 'outline'; readonly radii: Radii; readonly innerRadius: number }

/**
 * The look that `dotStyle` and `cornerRadius` ask for. `cornerRadius` is a percentage of half a module:
 *
 * - `square`: every outer corner is rounded by `cornerRadius`, 0 unless given. Neighbours are one shape.
 * - `rounded`: the same, but 100 unless given: single modules are circles, rows have round ends.
 * - `extra-rounded`: the inner corners are rounded too, so that shapes flow into each other; 100 unless given.
 * - `classy`: top left and bottom right are rounded, like a leaf, the other two are sharp; 100 unless given.
 * - `classy-rounded`: a leaf whose other two corners are rounded half as much; 100 unless given.
 * - `dots`: a circle for each module; `cornerRadius` has nothing to round.
 */
export function moduleLook(style: Style): ModuleLook {
  const dotStyle = style.dotStyle ?? 'square'
  if (dotStyle === 'dots') return { kind: 'dots' }
  const radius = radiusMost * moduleRoundness(style)
  const { other, inner } = roundedShares[dotStyle]
  return {
    kind: 'outline',
    radii: [radius, radius * other, radius, radius * other],
    innerRadius: radius * inner,
  }
}

/** How much the other two outer corners and the inner ones are rounded, as shares of top left and bottom right. */
const roundedShares = {
  square: { other: 1, inner: 0 },
  rounded: { other: 1, inner: 0 },
  'extra-rounded': { other: 1, inner: 1 },
  classy: { other: 0, inner: 0 },
  'classy-rounded': { other: 0.5, inner: 0 },
} as const

/** How round the modules are, 0 to 1: what the eyes follow unless they have a style of their own. */
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

/** The same as with radii of 0, without an object for each corner: what plain pictures consist of. */
function pushSharpContour(path: number[], outline: Outline) {
  for (let at = 0; at < outline.length; at += 2) {
    path.push(at === 0 ? operation.move : operation.line, outline[at] ?? 0, outline[at + 1] ?? 0)
  }
  path.push(operation.close)
}

/** The corners of an outline, each with its radius. Sides are whole modules, so two radii of a half always fit. */
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
    // Dark is on the right hand: a turn to the right is an outer corner.
    const isOuter = inX * outY - inY * outX > 0
    corners.push({ x, y, radius: isOuter ? look.radii[pointing(inX, inY)] : look.innerRadius })
  }
  return corners
}

/** Where the outer corner after a side in this direction points: an index of `Radii`. */
function pointing(inX: number, inY: number): 0 | 1 | 2 | 3 {
  if (inX > 0) return 1
  if (inX < 0) return 3
  return inY > 0 ? 2 : 0
}
