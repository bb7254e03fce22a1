import type { Color } from './colors.ts'

/**
 * Returns the shares of cyan, magenta, yellow and black for a color, 0 to 1: the grey part of it is
 * black ink alone. This is the conversion of PostScript without a profile (PostScript Language
 * Reference, 7.2.3), with all undercolor removed.
 */
export function inksOf({
  red,
  green,
  blue,
}: Color): [cyan: number, magenta: number, yellow: number, black: number] {
  const most = Math.max(red, green, blue)
  if (most === 0) return [0, 0, 0, 1]
  const ink = (part: number): number => 1 - part / most
  return [ink(red), ink(green), ink(blue), 1 - most / 255]
}
