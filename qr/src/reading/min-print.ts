import type { Drawing } from '../drawing/drawing.ts'

const armsLengthMm = 450
/** Scanners read the preview: 1,920 pixels across a field of about 65 degrees. */
const cameraPx = 1920
const cameraDegrees = 65
const pxPerMm = cameraPx / (2 * armsLengthMm * Math.tan((cameraDegrees / 2) * (Math.PI / 180)))

/** Hands shake and lenses blur: require a third more than a still picture needs, at least two. */
const safetyFactor = 4 / 3
const modulePxMin = 2

/**
 * Returns the minimum width of a print that can be read at arm's length, in millimetres, and the
 * reason. `minModulePx` is the fewest pixels per module at which the picture was read; absent if it
 * was not read.
 */
export function minPrint(
  { width }: Pick<Drawing, 'width'>,
  minModulePx?: number,
): { minPrintMm: number; minPrintReason: string } {
  const neededPx = Math.max(modulePxMin, (minModulePx ?? 0) * safetyFactor)
  const moduleMm = neededPx / pxPerMm
  const minPrintMm = Math.ceil(width * moduleMm * 10) / 10
  return {
    minPrintMm,
    minPrintReason:
      `${width} modules across with margin and frame, each ${moduleMm.toFixed(2)} mm wide: at ${armsLengthMm} mm that is ` +
      `${neededPx.toFixed(1)} pixels of a phone's camera` +
      (minModulePx === undefined ? '.' : `; a still picture of this style was read with ${minModulePx}.`),
  }
}
