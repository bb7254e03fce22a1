import type { Gradient } from '@everscan/contract/resources/styles.ts'

export type Point = { readonly x: number; readonly y: number }

/** A gradient in modules, along a line or outwards from a point. The end colors continue. */
export type GradientFill =
  | { readonly type: 'linear'; readonly from: Point; readonly to: Point; readonly colors: GradientColors }
  | {
      readonly type: 'radial'
      readonly centre: Point
      readonly radius: number
      readonly colors: GradientColors
    }

/** The first and last color, `#RRGGBB`. */
export type GradientColors = readonly [string, string]

/** The fill of a path: `#RRGGBB` or a gradient. */
export type Fill = string | GradientFill

/**
 * Places a gradient over the code's area, with the end colors in its corners. A linear gradient
 * runs at `angle` degrees clockwise from left to right, a radial gradient from the middle outwards.
 */
export function placeGradient(gradient: Gradient, size: number): GradientFill {
  const centre = { x: size / 2, y: size / 2 }
  const [first = '', last = ''] = gradient.colors
  const colors = [first, last] as const
  if (gradient.type === 'radial') return { type: 'radial', centre, radius: size * Math.SQRT1_2, colors }
  const angle = ((gradient.angle ?? 0) * Math.PI) / 180
  const half = ((Math.abs(Math.cos(angle)) + Math.abs(Math.sin(angle))) * size) / 2
  const across = half * Math.cos(angle)
  const down = half * Math.sin(angle)
  return {
    type: 'linear',
    from: { x: centre.x - across, y: centre.y - down },
    to: { x: centre.x + across, y: centre.y + down },
    colors,
  }
}

/** Returns the colors of a fill, one or two. */
export const fillColors = (fill: Fill): readonly string[] => (typeof fill === 'string' ? [fill] : fill.colors)
