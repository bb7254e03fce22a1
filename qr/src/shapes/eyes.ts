import type { Style } from '@everscan/contract/resources/styles.ts'
import { moduleRoundness } from './modules.ts'
import { evenRadii, pushBox, type Radii } from './shapes.ts'

/**
 * Modules along one side of an eye's frame, hole and ball (ISO/IEC 18004, 6.3.3.1: nested squares
 * of 7, 5 and 3).
 */
const frameSize = 7
const holeSize = 5
const ballSize = 3

/**
 * Radii of a frame's outer corners. The inner corners have the same centre. Measured at 4 to 30
 * pixels per module: zbar, which fits lines to a frame's sides, misses 46 of 400 frames with radius
 * 3.5 (circles), one of 400 with 3.2, and none of 700 with 2.8. zxing's strict mode misses 3 to 35
 * of 400 frames with radii of 2 to 2.6 around `dots`, most at 2.5, and none with 1.8 or 2.8.
 */
const frameRadius = { square: 0, dot: 2.8, 'extra-rounded': 1.8 } as const
/** Radii of a ball's corners, also for frame styles that balls don't have. */
const ballRadius = { square: 0, dot: ballSize / 2, 'extra-rounded': 1.1 } as const
/**
 * A sharp ball in a round frame leaves too little light between them on the diagonal. Measured at 5
 * and 9 pixels per module: zxing's strict mode finds no such eye, and finds all from a radius of
 * 0.5 on.
 */
const squareBallInDotRadius = 0.65
/** Radii of eyes that follow round modules: they look like circles of one module at this size. */
const frameRadiusOfRound = 1.6
const ballRadiusOfRound = 0.8

/** Returns the top left corners of the eyes in a code of `size` modules. */
export const eyePlaces = (size: number) =>
  [
    { x: 0, y: 0 },
    { x: size - frameSize, y: 0 },
    { x: 0, y: size - frameSize },
  ] as const

/**
 * Appends the frames of the three eyes. They are rings in every style, because readers look for
 * unbroken rings.
 *
 * Without a `cornerSquareStyle` they follow the modules: equally rounded, a leaf for `classy` and
 * `classy-rounded`, and `extra-rounded` for `dots`. `square` is sharp. `dot` is as close to a
 * circle as every reader can find.
 */
export function pushEyeFrames(path: number[], size: number, style: Style) {
  const radii = frameRadii(style)
  const holeRadii = radii.map(innerRadius) as unknown as Radii
  for (const { x, y } of eyePlaces(size)) {
    pushBox(path, { x, y, width: frameSize, height: frameSize }, { radii, turn: 'filled' })
    const hole = { x: x + 1, y: y + 1, width: holeSize, height: holeSize }
    pushBox(path, hole, { radii: holeRadii, turn: 'hole' })
  }
}

/**
 * Appends the balls in the eyes. Without a `cornerDotStyle` they follow the frame's style, and
 * without that the modules: a circle for `dots`. `square` is sharp except in a round frame.
 */
export function pushEyeBalls(path: number[], size: number, style: Style) {
  const radii = ballRadii(style)
  for (const { x, y } of eyePlaces(size)) {
    pushBox(path, { x: x + 2, y: y + 2, width: ballSize, height: ballSize }, { radii, turn: 'filled' })
  }
}

/** Whether the eyes look like the other modules of this style, so that one outline traces all. */
export function hasPlainEyes(style: Style): boolean {
  const { dotStyle = 'square', cornerSquareStyle = 'square', cornerDotStyle = 'square' } = style
  const square = dotStyle !== 'dots' && moduleRoundness(style) === 0
  return square && cornerSquareStyle === 'square' && cornerDotStyle === 'square'
}

/**
 * A ring keeps its thickness of 1 around a corner if both arcs have the same centre. A small radius
 * is enlarged a little.
 */
const innerRadius = (radius: number) => Math.max(radius - 1, radius / 3)

function frameRadii(style: Style): Radii {
  const { dotStyle, cornerSquareStyle = dotStyle === 'dots' ? 'extra-rounded' : undefined } = style
  if (!cornerSquareStyle) return followModules(style, frameRadiusOfRound, frameRadius['extra-rounded'])
  return evenRadii(frameRadius[cornerSquareStyle])
}

function ballRadii(style: Style): Radii {
  const { dotStyle, cornerSquareStyle = dotStyle === 'dots' ? 'dot' : undefined } = style
  const { cornerDotStyle = cornerSquareStyle } = style
  if (!cornerDotStyle) return followModules(style, ballRadiusOfRound, ballRadius['extra-rounded'])
  if (cornerDotStyle === 'square' && cornerSquareStyle === 'dot') return evenRadii(squareBallInDotRadius)
  return evenRadii(ballRadius[cornerDotStyle])
}

/** Returns corners as round as the modules: `round` if all are even, `max` for a leaf's curves. */
function followModules(style: Style, round: number, max: number): Radii {
  const roundness = moduleRoundness(style)
  const long = max * roundness
  const even = round * roundness
  if (style.dotStyle === 'classy') return [long, 0, long, 0]
  if (style.dotStyle === 'classy-rounded') return [long, even / 2, long, even / 2]
  return evenRadii(style.dotStyle === 'extra-rounded' ? (even + long) / 2 : even)
}
