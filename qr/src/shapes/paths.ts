/**
 * Closed contours as one stream of numbers: an operation and its coordinates, x and y in turn, in
 * modules, y down. Each contour starts with a move and ends with a close, which draws the last
 * straight side if one is missing. The filled side is on the right and holes run the other way, so
 * both fill rules of SVG, PDF and PostScript give the same picture.
 *
 * A stream is cheaper than an object per segment: a code of version 40 has tens of thousands of
 * segments, and they are walked several times.
 */
export type Path = readonly number[]

export const operation = { move: 0, line: 1, quadratic: 2, cubic: 3, close: 4 } as const

/** The callbacks of a walk along a path: control points first, end point last, all absolute. */
export type PathVisitor = {
  move(x: number, y: number): void
  line(x: number, y: number): void
  quadratic(x1: number, y1: number, x: number, y: number): void
  cubic(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void
  close(): void
}

/** Calls the visitor for every operation of a path, in order. */
export function walkPath(path: Path, visitor: PathVisitor) {
  const at = (place: number) => path[place] ?? 0
  for (let from = 0; from < path.length;) {
    const code = path[from] ?? operation.close
    const a = from + 1
    const b = from + 3
    const c = from + 5
    if (code === operation.line) visitor.line(at(a), at(a + 1))
    else if (code === operation.cubic) visitor.cubic(at(a), at(a + 1), at(b), at(b + 1), at(c), at(c + 1))
    else if (code === operation.move) visitor.move(at(a), at(a + 1))
    else if (code === operation.quadratic) visitor.quadratic(at(a), at(a + 1), at(b), at(b + 1))
    else visitor.close()
    from += 1 + countCoordinates(code)
  }
}

/** Returns the number of coordinates of an operation. */
function countCoordinates(code: number): number {
  if (code === operation.cubic) return 6
  if (code === operation.quadratic) return 4
  return code === operation.close ? 0 : 2
}

/** Walks a path for formats without quadratic curves: each becomes the identical cubic curve. */
export function walkCubicPath(path: Path, visitor: Omit<PathVisitor, 'quadratic'>) {
  let fromX = 0
  let fromY = 0
  const to = (x: number, y: number) => {
    fromX = x
    fromY = y
  }
  walkPath(path, {
    move(x, y) {
      visitor.move(x, y)
      to(x, y)
    },
    line(x, y) {
      visitor.line(x, y)
      to(x, y)
    },
    quadratic(x1, y1, x, y) {
      visitor.cubic(towards(fromX, x1), towards(fromY, y1), towards(x, x1), towards(y, y1), x, y)
      to(x, y)
    },
    cubic(x1, y1, x2, y2, x, y) {
      visitor.cubic(x1, y1, x2, y2, x, y)
      to(x, y)
    },
    close: () => visitor.close(),
  })
}

/** The handle of the cubic is two thirds of the way to the handle of the quadratic. */
const towards = (end: number, handle: number) => end + ((handle - end) * 2) / 3

/** Whether every side is horizontal or vertical, so that edges need no anti-aliasing. */
export function isRectilinear(path: Path): boolean {
  let fromX = 0
  let fromY = 0
  for (let at = 0; at < path.length;) {
    const code = path[at] ?? operation.close
    const x = path[at + 1] ?? 0
    const y = path[at + 2] ?? 0
    if (code === operation.quadratic || code === operation.cubic) return false
    if (code === operation.line && x !== fromX && y !== fromY) return false
    if (code !== operation.close) {
      fromX = x
      fromY = y
    }
    at += 1 + countCoordinates(code)
  }
  return true
}
