import type { Drawing } from '../drawing/drawing.ts'

const armsLengthMm = 450
/** What scanners look at is the preview, 1,920 pixels across a field of about 65 degrees. */
const cameraPx = 1920
const cameraDegrees = 65
const pxPerMm = cameraPx / (2 * armsLengthMm * Math.tan((cameraDegrees / 2) * (Math.PI / 180)))

/** Hands shake and lenses blur: a third more than what was read from a still picture, and never under two. */
const spare = 4 / 3
const modulePxLeast = 2

/**
 * From how small a print a picture can be read at arm's length, in millimetres of its width, and why; `leastModulePx` is
 * the fewest pixels a module with which it was read; absent: it was not read.
 */
export function minPrint(
  { width }: Pick<Drawing, 'width'>,
  leastModulePx?: number,
): { minPrintMm: number; minPrintReason: string } {
  const neededPx = Math.max(modulePxLeast, (leastModulePx ?? 0) * spare)
  const moduleMm = neededPx / pxPerMm
  const minPrintMm = Math.ceil(width * moduleMm * 10) / 10
  return {
    minPrintMm,
    minPrintReason:
      `${width} modules across with margin and frame, each ${moduleMm.toFixed(2)} mm wide: at ${armsLengthMm} mm that is ` +
      `${neededPx.toFixed(1)} pixels of a phone's camera` +
      (leastModulePx === undefined ? '.' : `; a still picture of this style was read with ${leastModulePx}.`),
  }
}
