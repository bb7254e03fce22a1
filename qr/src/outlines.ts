import type { Matrix } from './matrix.ts'

/**
 * The corners of one closed outline, x and y in turn, in modules from the top left of the matrix. The first side
 * goes right, the second up or down, and so on in turn; the last, vertical one leads back to the first corner.
 */
export type Outline = readonly number[]

/**
 * Traces the borders between dark and light: one outline for each group of dark modules that share a side, and one
 * for each hole. Dark is always on the right hand, so holes run the other way and both fill rules of SVG, PDF and
 * PostScript give the same picture. Modules that only touch at a corner stay apart, so that each group can be
 * rounded by itself.
 */
export function traceOutlines(matrix: Matrix): Outline[] {
  const points = (matrix.size + 1) ** 2
  if (room.around.length < points) room = makeRoom(points)
  const grid = linkCorners(matrix, room)
  const { traced } = room
  for (const corner of grid.starts) traced[corner] = 0
  const outlines: Outline[] = []
  for (const corner of grid.starts) if (!traced[corner]) outlines.push(traceOutline(grid, traced, corner))
  return outlines
}

/** What tracing writes into; nothing of one code is read for the next. */
type Room = { around: Uint8Array; next: Int32Array; above: Int32Array; traced: Uint8Array }

const makeRoom = (points: number): Room => ({
  around: new Uint8Array(points),
  next: new Int32Array(points * 4),
  above: new Int32Array(points),
  traced: new Uint8Array(points),
})

/** Kept, as making it takes longer than tracing a small code. */
let room = makeRoom(0)

/** The points where four modules meet, row by row from the top left: (size + 1)² of them. */
type Grid = {
  /** Points along one side. */
  readonly side: number
  /** The dark ones of the modules around each point, as bits. */
  readonly around: Uint8Array
  /** Of each point that is a corner: the next corner to the right, below, to the left and above, if a border leads there. */
  readonly next: Int32Array
  /** Corners where a border to the right begins. Every outline has one: the top of a group, the bottom of a hole. */
  readonly starts: readonly number[]
}

const upperLeft = 1
const upperRight = 2
const lowerLeft = 4
const lowerRight = 8

const upper = upperLeft | upperRight
const lower = lowerLeft | lowerRight
const left = upperLeft | lowerLeft
const right = upperRight | lowerRight

/** No border turns where all modules are alike, nor where one straight border passes. */
const isCorner = Array.from(
  { length: 16 },
  (_, around) => ![0, upper, lower, left, right, upper | lower].includes(around),
)

const nowhere = -1

/** Corners are few, so a walk from one to the next is far shorter than one along every module. */
function linkCorners({ size, modules }: Matrix, { around, next, above }: Room): Grid {
  const side = size + 1
  above.fill(nowhere, 0, side)
  const starts: number[] = []
  for (let y = 0, point = 0; y < side; y++) {
    let before = nowhere
    let bits = 0
    for (let x = 0; x < side; x++, point++) {
      const darkAbove = y > 0 && x < size ? modules[point - y - size] : 0
      const darkBelow = y < size && x < size ? modules[point - y] : 0
      bits = ((bits & right) >> 1) | (darkAbove ? upperRight : 0) | (darkBelow ? lowerRight : 0)
      around[point] = bits
      if (!isCorner[bits]) continue
      if (before !== nowhere) next[before * 4] = point
      next[point * 4 + 2] = before
      before = point
      const up = above[x] ?? nowhere
      if (up !== nowhere) next[up * 4 + 1] = point
      next[point * 4 + 3] = up
      above[x] = point
      if ((bits & right) === lowerRight) starts.push(point)
    }
  }
  return { side, around, next, starts }
}

/** The module that decides at the end of a side, by the way that it went: dark, and the border turns left. */
const aheadRight = [lowerRight, lowerLeft, upperLeft, upperRight]

/** Walks once around, to the right from `start`, and marks each corner from which it went right. */
function traceOutline({ side, around, next }: Grid, traced: Uint8Array, start: number): Outline {
  const corners: number[] = []
  let corner = start
  // Right, down, left, up: a turn to the right is the next one.
  let direction = 0
  do {
    const y = Math.trunc(corner / side)
    corners.push(corner - y * side, y)
    if (direction === 0) traced[corner] = 1
    corner = next[corner * 4 + direction] ?? 0
    const turnsLeft = ((around[corner] ?? 0) & (aheadRight[direction] ?? 0)) !== 0
    direction = (direction + (turnsLeft ? 3 : 1)) & 3
  } while (corner !== start || direction !== 0)
  return corners
}
