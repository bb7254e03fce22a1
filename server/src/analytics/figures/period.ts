import { wallClock } from '../../clock-offsets.ts'
import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import type { ApiError } from '../../errors.ts'
import { queryError } from '../../request-errors.ts'
import { dateText, dayOf, momentOf, startOfDay, type DayNumber } from './calendar.ts'

/** A stretch of time, and the time zone whose clocks separate its days. */
export type Period = {
  startMs: number
  /** Exclusive: the first instant after the period. */
  endMs: number
  /** An IANA name. */
  timezone: string
}

export type PeriodQuery = {
  startDate?: string | undefined
  endDate?: string | undefined
  timezone?: string | undefined
}

const defaultDays = 30
const dayMs = 86_400_000
/** The dates of the scan store hold this range, and a timeline of it is short enough to send. */
const [yearMin, yearMax] = [1970, 2099]

/**
 * Reads the period of a request. Parameters are ISO 8601 dates or times. Clocks of `timezone` apply
 * to dates and to times without a zone. An `endDate` without a time includes the whole day. With a
 * time, it is the last instant of the period. Default: the last 30 days, including today. Throws
 * ApiError 400 that names the invalid parameter.
 */
export function readPeriod(query: PeriodQuery, nowMs: number = Date.now()): Period {
  const timezone = readTimezone(query.timezone ?? 'UTC')
  const endMs =
    query.endDate === undefined
      ? startOfDay(timezone, dayOf(timezone, nowMs) + 1)
      : readDate('endDate', query.endDate, timezone).endMs
  const startMs =
    query.startDate === undefined
      ? startOfDay(timezone, dayOf(timezone, endMs - 1) - defaultDays + 1)
      : readDate('startDate', query.startDate, timezone).startMs
  if (startMs >= endMs) throw invalid('startDate', reversed(query, { startMs, endMs, timezone }))
  return { startMs, endMs, timezone }
}

/** Returns the first and the last day that a period touches. */
export function daysOf({ startMs, endMs, timezone }: Period): { first: DayNumber; last: DayNumber } {
  return { first: dayOf(timezone, startMs), last: dayOf(timezone, endMs - 1) }
}

/**
 * Returns the period to compare with: the same times, as many days earlier as the period touches.
 * Of a period that has not ended, only the past part is compared; otherwise every morning would
 * look like a loss.
 */
export function periodBefore(period: Period, nowMs: number): Period {
  const { timezone, startMs } = period
  const days = daysOf(period)
  const earlierMs = (days.last - days.first + 1) * dayMs
  const shifted = (ms: number) => momentOf(timezone, wallClock(timezone, ms) - earlierMs)
  const endMs = Math.max(startMs, Math.min(period.endMs, nowMs))
  return { timezone, startMs: shifted(startMs), endMs: shifted(endMs) }
}

const form =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/

/** Reads a time as an instant, and a date as the whole day. `endMs` is exclusive. */
function readDate(name: string, text: string, timezone: string): { startMs: number; endMs: number } {
  const match = form.exec(text)
  if (match === null) throw invalid(name, problem('notDay', { got: text }))
  const [, year = '', month = '', day = '', hour, minute = '0', second = '0', fraction = '', zone] = match
  const date = Date.UTC(Number(year), Number(month) - 1, Number(day))
  const isDay = new Date(date).toISOString().slice(0, 10) === `${year}-${month}-${day}`
  if (!isDay || Number(hour ?? 0) > 23 || Number(minute) > 59 || Number(second) > 59)
    throw invalid(name, problem('noCalendarDay', { got: text }))
  if (Number(year) < yearMin || Number(year) > yearMax)
    throw invalid(name, problem('yearOutside', { min: yearMin, max: yearMax, got: text }))
  if (hour === undefined) {
    const number = date / 86_400_000
    return { startMs: startOfDay(timezone, number), endMs: startOfDay(timezone, number + 1) }
  }
  const wallClockMs =
    date + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000 + milliseconds(fraction)
  const ms = zone === undefined ? momentOf(timezone, wallClockMs) : wallClockMs - offsetMs(zone)
  return { startMs: ms, endMs: ms + 1 }
}

function milliseconds(fraction: string): number {
  return Number(fraction.slice(0, 3).padEnd(3, '0'))
}

function offsetMs(zone: string): number {
  if (zone === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000
}

/** Returns the name of a zone as the time zone database spells it, whatever its letter case. */
function readTimezone(name: string): string {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    throw invalid('timezone', problem('noSuchTimeZone', { got: name }))
  }
}

/** Returns the problem of a period that ends before it begins. */
function reversed({ startDate = '', endDate }: PeriodQuery, { endMs, timezone }: Period): Problem {
  if (endDate !== undefined) return problem('startAfterEnd', { startDate, endDate })
  const today = dateText(dayOf(timezone, endMs - 1))
  return problem('startAfterToday', { today, timezone, got: startDate })
}

function invalid(path: string, found: Problem): ApiError {
  return queryError([{ path, ...found }])
}
