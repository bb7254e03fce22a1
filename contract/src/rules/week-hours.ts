import { weekdays } from '../schema/weekdays.ts'
import type { ExcludedConditions } from './rules.ts'

const dayMinutes = 24 * 60
/** Minutes of a week, which begins on Monday at midnight. */
export const weekMinutes = 7 * dayMinutes

/** A stretch of the week in minutes; `to` is exclusive. */
export type WeekRange = { from: number; to: number }

type WeekHours = { [Name in 'days' | 'from' | 'to']?: ExcludedConditions[Name] | undefined }

/**
 * Returns the stretches of a week in which days and hours hold, in order and merged. Without days
 * and hours, this is the whole week. Hours over midnight belong to the day on which they begin.
 */
export function weekRanges({ days, from, to }: WeekHours): WeekRange[] {
  const [start, end] = [minutesOf(from) ?? 0, minutesOf(to) ?? dayMinutes]
  const length = end > start ? end - start : end + dayMinutes - start
  const begins = weekdays.flatMap((day, at) =>
    days === undefined || days.includes(day) ? [at * dayMinutes + start] : [],
  )
  return mergeRanges(
    begins.flatMap((begin) => {
      const over = begin + length - weekMinutes
      return over <= 0
        ? [{ from: begin, to: begin + length }]
        : [
            { from: begin, to: weekMinutes },
            { from: 0, to: over },
          ]
    }),
  )
}

/** Returns the parts of a week that are not in any of the stretches. */
export function restOfWeek(ranges: readonly WeekRange[]): WeekRange[] {
  const edges = [{ from: 0, to: 0 }, ...ranges, { from: weekMinutes, to: weekMinutes }]
  return edges
    .slice(1)
    .map((next, at) => ({ from: edges[at]?.to ?? 0, to: next.from }))
    .filter((range) => range.to > range.from)
}

/** Returns whether each of the stretches lies in one of the others. */
export function isWithin(inner: readonly WeekRange[], outer: readonly WeekRange[]): boolean {
  return inner.every(({ from, to }) => outer.some((one) => one.from <= from && one.to >= to))
}

/** Returns what both lists of stretches have in common. */
export function commonRanges(one: readonly WeekRange[], other: readonly WeekRange[]): WeekRange[] {
  return one.flatMap((a) =>
    other
      .map((b) => ({ from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) }))
      .filter((range) => range.to > range.from),
  )
}

/** Returns stretches in order, those that touch as one. */
export function mergeRanges(ranges: readonly WeekRange[]): WeekRange[] {
  const found: WeekRange[] = []
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = found.at(-1)
    if (last !== undefined && range.from <= last.to) last.to = Math.max(last.to, range.to)
    else found.push({ ...range })
  }
  return found
}

/** Undefined: not a time, which a form may have. */
function minutesOf(clockTime: string | undefined): number | undefined {
  const match = /^(\d\d):(\d\d)$/.exec(clockTime ?? '')
  return match === null ? undefined : Number(match[1]) * 60 + Number(match[2])
}
