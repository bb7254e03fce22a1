import type { Style } from '@everscan/contract/resources/styles.ts'
import { moduleRoundness } from './modules.ts'
import { evenRadii, pushBox, type Radii } from './shapes.ts'

/** Modules along one side of an eye's frame and of its ball (ISO/IEC 18004, 6.3.3.1: 7, 5 and 3 in each other). */
const frameSize = 7
const holeSize = 5
const ballSize = 3

/**
 * Radii of a frame's outer corners; the inner ones follow the same centre. Measured at 4 to 30 pixels a module: zbar lays
 * lines along a frame's sides and misses 46 circles (3.5) of 400, one of 3.2 of 400, none of 2.8 of 700. zxing's strict mode
 * misses 3 to 35 of 400 frames of 2 to 2.6 around `dots`, most at 2.5, and none of 1.8 or 2.8.
 */
const frameRadius = { square: 0, dot: 2.8, 'extra-rounded': 1.8 } as const
/** Radii of a ball's corners, also beside a frame whose style balls don't have. */
const ballRadius = { square: 0, dot: ballSize / 2, 'extra-rounded': 1.1 } as const
/**
 * A sharp ball in a round frame leaves too little light between them on the diagonal: measured at 5 and 9 pixels a
 * module, zxing's strict mode finds no such eye, and any from a radius of 0.5.
 */
const squareBallInDotRadius = 0.65
/** Where eyes follow round modules: what circles of one module look like at this size. */
const frameRadiusOfRound = 1.6
const ballRadiusOfRound = 0.8

/** Where the eyes lie in a code of `size` modules: their top left corners. */
export const eyePlaces = (size: number) =>
  [
    { x: 0, y: 0 },
    { x: size - frameSize, y: 0 },
    { x: 0, y: size - frameSize },
  ] as const

/**
 * Appends the frames of the three eyes: rings, whatever the style, because readers look for unbroken ones.
 *
 * Without a `cornerSquareStyle` they follow the modules: rounded as much as these, a leaf for `classy` and
 * `classy-rounded`, and `extra-rounded` for `dots`. `square` is sharp, `dot` as near
 * to a circle as every reader finds it.
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
 * Appends the balls in the eyes. Without a `cornerDotStyle` they follow the frame's style, and without that the
 * modules: a circle for `dots`. `square` is sharp but in a round frame.
 */
export function pushEyeBalls(path: number[], size: number, style: Style) {
  const radii = ballRadii(style)
  for (const { x, y } of eyePlaces(size)) {
    pushBox(path, { x: x + 2, y: y + 2, width: ballSize, height: ballSize }, { radii, turn: 'filled' })
  }
}

/** Whether the eyes look like any other modules of this style, so that the outline of all can be traced at once. */
export function hasPlainEyes(style: Style): boolean {
  const { dotStyle = 'square', cornerSquareStyle = 'square', cornerDotStyle = 'square' } = style
  const square = dotStyle !== 'dots' && moduleRoundness(style) === 0
  return square && cornerSquareStyle === 'square' && cornerDotStyle === 'square'
}

/** A ring keeps its thickness of 1 around a corner when both arcs have one centre; a tight one is eased a little. */
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

/** Corners as round as the modules': `round` for even ones, `most` for the two long curves of a leaf. */
function followModules(style: Style, round: number, most: number): Radii {
  const roundness = moduleRoundness(style)
  const long = most * roundness
  const even = round * roundness
  if (style.dotStyle === 'classy') return [long, 0, long, 0]
  if (style.dotStyle === 'classy-rounded') return [long, even / 2, long, even / 2]
  return evenRadii(style.dotStyle === 'extra-rounded' ? (even + long) / 2 : even)
}
