import type { Matrix } from '../content/matrix.ts'

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
  const outlines: Outline[] = []
  eachOutline(matrix, (corners, length) => {
    const outline: number[] = []
    for (let at = 0; at < length; at++) outline.push(corners[at] ?? 0)
    outlines.push(outline)
  })
  return outlines
}

/** The same, one after the other and without a list of each: `take` gets the first `length` numbers, which the next one's take the place of. */
export function eachOutline(matrix: Matrix, take: (corners: Int32Array, length: number) => void) {
  const points = (matrix.size + 1) ** 2
  if (room.around.length < points) room = makeRoom(points)
  const grid = linkCorners(matrix, room)
  const { traced, corners } = room
  const { starts, startCount } = grid
  for (let at = 0; at < startCount; at++) traced[starts[at] ?? 0] = 0
  for (let at = 0; at < startCount; at++) {
    const corner = starts[at] ?? 0
    if (!traced[corner]) take(corners, traceOutline(grid, room, corner))
  }
}

/** What tracing writes into; nothing of one code is read for the next. */
type Room = {
  around: Uint8Array
  next: Int32Array
  above: Int32Array
  starts: Int32Array
  traced: Uint8Array
  corners: Int32Array
}

/** One more than there are points: the last is nowhere. An outline passes each point twice at most. */
const makeRoom = (points: number): Room => ({
  around: new Uint8Array(points),
  next: new Int32Array((points + 1) * 4),
  above: new Int32Array(points),
  starts: new Int32Array(points + 1),
  traced: new Uint8Array(points),
  corners: new Int32Array(points * 4),
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

/** As bits: no border turns where all modules are alike, nor where one straight border passes. */
const cornerKinds = Array.from({ length: 16 }, (_, around) => around)
  .filter((around) => ![0, upper, lower, left, right, upper | lower].includes(around))
  .reduce((bits, around) => bits | (1 << around), 0)

/** 1 where a border begins to the right with dark below it. */
const isStart = Uint8Array.from({ length: 16 }, (_, around) => Number((around & right) === lowerRight))

/** A row beyond the picture, of any version. */
const light = new Uint8Array(177)

/**
 * Corners are few, so a walk from one to the next is far shorter than one along every module. Whether a point is one is as good as random, and a processor that
 * guesses wrong waits: nothing but that is asked of a point.
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

/** The module that decides at the end of a side, by the way that it went: dark, and the border turns left. */
const aheadRight = [lowerRight, lowerLeft, upperLeft, upperRight]

/** Walks once around, to the right from `start`, marks each corner from which it went right, and gives the length of what it wrote. */
function traceOutline({ side, around, next }: Grid, { traced, corners }: Room, start: number): number {
  let length = 0
  let corner = start
  // Right, down, left, up: a turn to the right is the next one.
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
