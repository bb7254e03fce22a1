import { stepsUpTo } from '../../ui/scales.ts'
import type { Point } from '../asked.ts'

export const height = 260
export const edge = { top: 12, right: 12, bottom: 28, left: 44 }

/** Places of points and counts in the chart, in pixels. */
export type TimelineScale = ReturnType<typeof timelineScale>

export function timelineScale(points: readonly Point[], before: readonly Point[] | undefined, width: number) {
  const last = points.length - 1
  const area = { width: Math.max(width - edge.left - edge.right, 1), height: height - edge.top - edge.bottom }
  const steps = stepsUpTo(Math.max(...[...points, ...(before ?? [])].map(({ scans }) => scans), 1))
  const highest = steps.at(-1) ?? 1
  const x = (index: number) => edge.left + (last < 1 ? area.width / 2 : (index / last) * area.width)
  const y = (count: number) => edge.top + area.height * (1 - count / highest)
  return {
    area,
    /** Index of the last point. */
    last,
    /** Counts that have a line across the chart. */
    steps,
    x,
    y,
    /** Returns the path of counts, from a point on. */
    lineOf: (counts: readonly number[], from = 0) =>
      counts
        .slice(from)
        .map(
          (count, index) => `${index === 0 ? 'M' : 'L'}${x(from + index).toFixed(1)},${y(count).toFixed(1)}`,
        )
        .join(''),
  }
}

/**
 * Returns evenly spaced indexes of points, as many as have room for a label, starting with the
 * first. The spacing is a multiple of `every`.
 */
export function labelled(points: readonly Point[], room: number, every: number): readonly number[] {
  const last = points.length - 1
  const stepLeast = Math.ceil(last / Math.max(room - 1, 1) / every) * every
  // A longer step that ends at the last point is better, because readers look for the end of a line
  // most.
  const step = [0, 1, 2].map((more) => stepLeast + more * every).find((one) => last % one === 0) ?? stepLeast
  return points.flatMap((_, index) => (step === 0 || index % step === 0 ? [index] : []))
}
