import { ApiError } from '../../errors.ts'
import { dayOf, momentOf, startOfDay, type DayNumber } from './calendar.ts'

/** A stretch of time with the clocks by which its days are told apart. */
export type Period = {
  startMs: number
  /** Exclusive: the first moment that is no longer in it. */
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

/**
 * The period that a request asks for: ISO 8601 dates or times, a time without a zone and a date alone by the clocks of
 * `timezone`. A date alone as `endDate` is the whole day, a time is the last moment of the period. Without dates the
 * last 30 days with today. Throws ApiError 400 that names the wrong parameter.
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
  if (startMs >= endMs)
    throw invalid('startDate', `"startDate" must not be after "endDate", got ${said(query)}`)
  return { startMs, endMs, timezone }
}

/** The first and the last day that a period touches. */
export function daysOf({ startMs, endMs, timezone }: Period): { first: DayNumber; last: DayNumber } {
  return { first: dayOf(timezone, startMs), last: dayOf(timezone, endMs - 1) }
}

const form =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/

/** A moment, or a whole day, from its first moment to the one after its last. */
function readDate(name: string, text: string, timezone: string): { startMs: number; endMs: number } {
  const match = form.exec(text)
  if (match === null)
    throw invalid(name, `"${name}" must be an ISO 8601 date or date and time, got "${text}"`)
  const [, year = '', month = '', day = '', hour, minute = '0', second = '0', fraction = '', zone] = match
  const date = Date.UTC(Number(year), Number(month) - 1, Number(day))
  const isDay = new Date(date).toISOString().slice(0, 10) === `${year}-${month}-${day}`
  if (!isDay || Number(hour ?? 0) > 23 || Number(minute) > 59 || Number(second) > 59)
    throw invalid(name, `"${name}" must be a date of the calendar, got "${text}"`)
  // What the scan store's dates can hold, and a timeline that can be sent.
  if (Number(year) < 1970 || Number(year) > 2099)
    throw invalid(name, `"${name}" must be between the years 1970 and 2099, got "${text}"`)
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

/** The name as the time zone database has it, whatever its letter case was. */
function readTimezone(name: string): string {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone
  } catch (error) {
    throw invalid(
      'timezone',
      `"timezone" must be an IANA time zone such as Europe/Berlin, got "${name}"`,
      error,
    )
  }
}

function said({ startDate, endDate }: PeriodQuery): string {
  return [startDate, endDate].map((text) => (text === undefined ? 'none' : `"${text}"`)).join(' and ')
}

function invalid(path: string, message: string, cause?: unknown): ApiError {
  return new ApiError(400, 'VALIDATION_ERROR', message, { cause, details: [{ path, message }] })
}
