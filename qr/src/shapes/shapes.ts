import { operation } from './paths.ts'

/** The handle length, as a share of the radius, of the cubic closest to a quarter of a circle. */
const quarterHandle = 0.5523

/** The direction of a contour: filled contours run clockwise, holes counterclockwise. */
export type Turn = 'filled' | 'hole'

export type Box = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The radii of a box's corners, in modules: top left, top right, bottom right, bottom left. */
export type Radii = readonly [number, number, number, number]

export const evenRadii = (radius: number): Radii => [radius, radius, radius, radius]

/** A corner of a closed contour. The sides alternate between horizontal and vertical. */
export type Corner = { readonly x: number; readonly y: number; readonly radius: number }

/**
 * Appends a closed contour of horizontal and vertical sides whose corners are quarters of circles
 * (radius 0: sharp).
 */
export function pushRoundedContour(path: number[], corners: readonly Corner[]) {
  const { length } = corners
  for (let at = 0; at < length; at++) {
    const corner = corners[at]
    const before = corners[(at + length - 1) % length]
    const after = corners[(at + 1) % length]
    if (corner && before && after) pushCorner(path, { corner, before, after, isFirst: at === 0 })
  }
  path.push(operation.close)
}

type CornerPlace = {
  readonly corner: Corner
  readonly before: Corner
  readonly after: Corner
  readonly isFirst: boolean
}

/** Appends the curve around a corner and the side before it, if the curves leave any of it. */
function pushCorner(path: number[], { corner, before, after, isFirst }: CornerPlace) {
  const { x, y, radius } = corner
  const inX = Math.sign(x - before.x)
  const inY = Math.sign(y - before.y)
  const fromX = x - inX * radius
  const fromY = y - inY * radius
  if (isFirst) path.push(operation.move, fromX, fromY)
  else if (Math.abs(x - before.x) + Math.abs(y - before.y) > radius + before.radius + 1e-9) {
    path.push(operation.line, fromX, fromY)
  }
  if (radius === 0) return
  const outX = Math.sign(after.x - x)
  const outY = Math.sign(after.y - y)
  const handle = radius * (1 - quarterHandle)
  path.push(
    operation.cubic,
    x - inX * handle,
    y - inY * handle,
    x + outX * handle,
    y + outY * handle,
    x + outX * radius,
    y + outY * radius,
  )
}

/** Appends a box with rounded corners. Radii that don't fit are reduced. */
export function pushBox(path: number[], box: Box, { radii, turn }: { radii: Radii; turn: Turn }) {
  const most = Math.min(box.width, box.height) / 2
  const [topLeft, topRight, bottomRight, bottomLeft] = radii.map((radius) => Math.min(radius, most))
  const right = box.x + box.width
  const bottom = box.y + box.height
  const corners: Corner[] = [
    { x: box.x, y: box.y, radius: topLeft ?? 0 },
    { x: right, y: box.y, radius: topRight ?? 0 },
    { x: right, y: bottom, radius: bottomRight ?? 0 },
    { x: box.x, y: bottom, radius: bottomLeft ?? 0 },
  ]
  pushRoundedContour(path, turn === 'filled' ? corners : corners.toReversed())
}

/** Appends a circle of four curves. */
export function pushCircle(path: number[], centre: { x: number; y: number }, radius: number) {
  const box = { x: centre.x - radius, y: centre.y - radius, width: 2 * radius, height: 2 * radius }
  pushBox(path, box, { radii: evenRadii(radius), turn: 'filled' })
}
