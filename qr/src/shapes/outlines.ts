import type { Matrix } from '../content/matrix.ts'

/**
 * The corners of one closed outline, x and y in turn, in modules from the top left of the matrix.
 * The first side goes right, the second up or down, and so on in turn. The last side is vertical
 * and leads back to the first corner.
 */
export type Outline = readonly number[]

/**
 * Traces the borders between dark and light: one outline for each group of dark modules that share
 * a side, and one for each hole. The dark side is always on the right. Holes therefore run the
 * other way, and both fill rules of SVG, PDF and PostScript give the same picture. Modules that
 * only touch at a corner stay apart, so that each group can be rounded by itself.
 */
export function traceOutlines(matrix: Matrix): Outline[] {
  const outlines: Outline[] = []
  forEachOutline(matrix, (corners, length) => {
    const outline: number[] = []
    for (let at = 0; at < length; at++) outline.push(corners[at] ?? 0)
    outlines.push(outline)
  })
  return outlines
}

/**
 * Traces the same outlines one after the other, without a list for each. Calls `visit` with an
 * array whose first `length` numbers are the corners. The next outline overwrites them.
 */
export function forEachOutline(matrix: Matrix, visit: (corners: Int32Array, length: number) => void) {
  const points = (matrix.size + 1) ** 2
  if (room.around.length < points) room = makeRoom(points)
  const grid = linkCorners(matrix, room)
  const { traced, corners } = room
  const { starts, startCount } = grid
  for (let at = 0; at < startCount; at++) traced[starts[at] ?? 0] = 0
  for (let at = 0; at < startCount; at++) {
    const corner = starts[at] ?? 0
    if (!traced[corner]) visit(corners, traceOutline(grid, room, corner))
  }
}

/** Buffers for tracing. Tracing never reads values of an earlier code. */
type Room = {
  around: Uint8Array
  next: Int32Array
  above: Int32Array
  starts: Int32Array
  traced: Uint8Array
  corners: Int32Array
}

/** One entry more than points: the last is nowhere. An outline passes a point at most twice. */
const makeRoom = (points: number): Room => ({
  around: new Uint8Array(points),
  next: new Int32Array((points + 1) * 4),
  above: new Int32Array(points),
  starts: new Int32Array(points + 1),
  traced: new Uint8Array(points),
  corners: new Int32Array(points * 4),
})

/** Reused, because allocating takes longer than tracing a small code. */
let room = makeRoom(0)

/** The (size + 1)² points where four modules meet, row by row from the top left. */
type Grid = {
  /** Points along one side. */
  readonly side: number
  /** The dark modules around each point, as bits. */
  readonly around: Uint8Array
  /** For each corner: the next one to the right, below, to the left and above along a border. */
  readonly next: Int32Array
  /**
   * Corners where a border to the right begins. Every outline has at least one: the top of a group,
   * the bottom of a hole.
   */
  readonly starts: Int32Array
  readonly startCount: number
}

const upperLeft = 1
const upperRight = 2
const lowerLeft = 4
const lowerRight = 8

const upper = upperLeft | upperRight
const lower = lowerLeft | lowerRight
const left = upperLeft | lowerLeft
const right = upperRight | lowerRight

/**
 * The corner patterns, as bits. A border doesn't turn where all four modules are alike or where one
 * straight border passes.
 */
const cornerKinds = Array.from({ length: 16 }, (_, around) => around)
  .filter((around) => ![0, upper, lower, left, right, upper | lower].includes(around))
  .reduce((bits, around) => bits | (1 << around), 0)

/** 1 where a border to the right begins with dark below it. */
const isStart = Uint8Array.from({ length: 16 }, (_, around) => Number((around & right) === lowerRight))

/** A row outside the picture, for any version. */
const light = new Uint8Array(177)

/**
 * Links each corner to its neighbours. Corners are few, so a walk from corner to corner is far
 * shorter than a walk along every module. Whether a point is a corner is nearly random, and each
 * wrong branch prediction stalls the processor, so the loop has no other unpredictable branch.
 */
function linkCorners({ size, modules }: Matrix, { around, next, above, starts }: Room): Grid {
  const side = size + 1
  const nowhere = next.length / 4 - 1
  above.fill(nowhere, 0, side)
  let startCount = 0
  for (let y = 0, point = 0; y < side; y++) {
    const upperRow = y > 0 ? modules : light
    const lowerRow = y < size ? modules : light
    const upperAt = y > 0 ? (y - 1) * size : 0
    const lowerAt = y < size ? y * size : 0
    let before = nowhere
    let bits = 0
    for (let x = 0; x < side; x++, point++) {
      bits = (bits & right) >> 1
      if (x < size)
        bits |= (upperRow[upperAt + x] ?? 0) * upperRight + (lowerRow[lowerAt + x] ?? 0) * lowerRight
      if (((cornerKinds >> bits) & 1) === 0) continue
      around[point] = bits
      next[before * 4] = point
      next[point * 4 + 2] = before
      before = point
      const up = above[x] ?? 0
      next[up * 4 + 1] = point
      next[point * 4 + 3] = up
      above[x] = point
      starts[startCount] = point
      startCount += isStart[bits] ?? 0
    }
  }
  return { side, around, next, starts, startCount }
}

/** The module ahead on the right, by direction. If it is dark, the border turns left. */
const aheadRight = [lowerRight, lowerLeft, upperLeft, upperRight]

/**
 * Walks once around, to the right from `start`. Marks each corner that it leaves to the right and
 * returns the number of values written.
 */
function traceOutline({ side, around, next }: Grid, { traced, corners }: Room, start: number): number {
  let length = 0
  let corner = start
  // Right, down, left, up: a turn to the right is the next direction.
  let direction = 0
  do {
    const y = (corner / side) | 0
    corners[length++] = corner - y * side
    corners[length++] = y
    if (direction === 0) traced[corner] = 1
    corner = next[corner * 4 + direction] ?? 0
    const turnsLeft = ((around[corner] ?? 0) & (aheadRight[direction] ?? 0)) !== 0
    direction = (direction + (turnsLeft ? 3 : 1)) & 3
  } while (corner !== start || direction !== 0)
  return length
}
