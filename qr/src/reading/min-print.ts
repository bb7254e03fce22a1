import { problem, type FieldProblem } from '@everscan/contract/problems/problem.ts'
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
): { minPrintMm: number; minPrintReason: string; minPrintDetails: FieldProblem[] } {
  const neededPx = Math.max(modulePxMin, (minModulePx ?? 0) * safetyFactor)
  const moduleMm = neededPx / pxPerMm
  const minPrintMm = Math.ceil(width * moduleMm * 10) / 10
  const values = {
    modules: width,
    moduleMm: moduleMm.toFixed(2),
    distanceMm: armsLengthMm,
    pixels: neededPx.toFixed(1),
  }
  const reason =
    minModulePx === undefined
      ? problem('printWidthUnread', values)
      : problem('printWidthByReading', { ...values, read: minModulePx })
  return { minPrintMm, minPrintReason: reason.message, minPrintDetails: [{ path: '', ...reason }] }
}
