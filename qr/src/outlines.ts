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
  const grid = padGrid(matrix)
  const traced = new Uint8Array(grid.cells.length)
  const outlines: Outline[] = []
  for (let y = 1; y <= matrix.size; y++) {
    for (let x = 1; x <= matrix.size; x++) {
      const cell = y * grid.stride + x
      if (!traced[cell] && grid.cells[cell] && !grid.cells[cell - grid.stride]) {
        outlines.push(traceOutline(grid, traced, cell))
      }
    }
  }
  return outlines
}

type Grid = { readonly stride: number; readonly cells: Uint8Array }

/** One light module all around saves every bounds check. */
function padGrid({ size, modules }: Matrix): Grid {
  const stride = size + 2
  const cells = new Uint8Array(stride * stride)
  for (let y = 0; y < size; y++) {
    cells.set(modules.subarray(y * size, (y + 1) * size), (y + 1) * stride + 1)
  }
  return { stride, cells }
}

/**
 * Walks once around, starting along the top side of `start`, the dark cell on the right hand, and marks each top
 * side it passes. Every outline has such a side: the top of a group, the bottom of a hole.
 */
function traceOutline({ stride, cells }: Grid, traced: Uint8Array, start: number): Outline {
  // Right, down, left, up: a turn to the right is the next one.
  const steps = [1, stride, -1, -stride]
  const corners: number[] = []
  let cell = start
  let direction = 0
  let startsHere = true
  for (;;) {
    if (startsHere) pushCorner(corners, cell, direction, stride)
    if (direction === 0) traced[cell] = 1
    const ahead = cell + (steps[direction] ?? 0)
    const aheadLeft = ahead + (steps[(direction + 3) & 3] ?? 0)
    startsHere = true
    if (!cells[ahead]) {
      direction = (direction + 1) & 3
    } else if (cells[aheadLeft]) {
      cell = aheadLeft
      direction = (direction + 3) & 3
    } else {
      cell = ahead
      startsHere = false
    }
    if (cell === start && direction === 0) return corners
  }
}

/** The corner where the walk along this side of the cell begins. */
function pushCorner(corners: number[], cell: number, direction: number, stride: number) {
  const x = (cell % stride) - 1
  const y = Math.trunc(cell / stride) - 1
  corners.push(direction === 1 || direction === 2 ? x + 1 : x, direction >= 2 ? y + 1 : y)
}
