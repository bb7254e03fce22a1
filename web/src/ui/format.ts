import { currentLocale } from '../words/chosen-language.ts'
import { commonWords } from '../words/common-words.ts'

const locale = currentLocale()
const numbers = new Intl.NumberFormat(locale)
const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
const times = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'medium' })
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })

export const formatNumber = (value: number) => numbers.format(value)

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
/** Formats a size: "1.5 MB". */
export function formatBytes(bytes: number): string {
  const power = Math.min(byteUnits.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const unit = byteUnits[power] ?? 'byte'
  const form = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(locale, form).format(bytes / 1000 ** power)
}
/** Formats a time for the tooltip of a short date. */
export const formatTime = (iso: string) => times.format(new Date(iso))

const countries = new Intl.DisplayNames(locale, { type: 'region' })
/** Returns the name of a country. Undefined if it is unknown or not a country. */
export function formatCountry(code: string): string | undefined {
  const name = /^[A-Z]{2}$/.test(code) && code !== 'XX' ? countries.of(code) : undefined
  return name === code ? undefined : name
}

const languages = new Intl.DisplayNames(locale, { type: 'language' })
/** Returns the name of a language without a region. Undefined if it is unknown. */
export function formatLanguage(tag: string): string | undefined {
  const name = /^[a-z]{2,3}$/.test(tag) ? languages.of(tag) : undefined
  return name === tag ? undefined : name
}

const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
/** Formats a share on a scale from 0 to 100. */
export const formatPercent = (percentage: number) => percents.format(percentage / 100)
const changes = new Intl.NumberFormat(locale, {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
})
/** Formats the relative change of a number, with its sign. */
export const formatChange = (now: number, before: number) => changes.format(now / before - 1)

/**
 * Creates a formatter in UTC. Dates of the timeline are days in any time zone, and the time zone of
 * this device must not shift them.
 */
const inUtc = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
const bucketForms = {
  hour: { short: inUtc({ timeStyle: 'short' }), long: inUtc({ dateStyle: 'full', timeStyle: 'short' }) },
  day: { short: inUtc({ day: 'numeric', month: 'short' }), long: inUtc({ dateStyle: 'full' }) },
  month: {
    short: inUtc({ month: 'short', year: '2-digit' }),
    long: inUtc({ month: 'long', year: 'numeric' }),
  },
}
export type BucketForm = keyof typeof bucketForms
/** Formats a date of the timeline: `YYYY-MM-DD`, or `YYYY-MM-DDThh` for an hour. */
export function formatBucket(date: string, form: BucketForm, length: 'short' | 'long'): string {
  return bucketForms[form][length].format(Date.parse(form === 'hour' ? `${date}:00Z` : date))
}

const longDays = inUtc({ dateStyle: 'long' })
/** Formats `YYYY-MM-DD`: "22 September 2026". */
export const formatDay = (date: string) => longDays.format(Date.parse(date))

const days = inUtc({ dateStyle: 'medium' })
/** Formats a range of days, `YYYY-MM-DD`: "22 Sep – 21 Oct 2026". */
export const formatDays = ({ startDate, endDate }: { startDate: string; endDate: string }) =>
  days.formatRange(Date.parse(startDate), Date.parse(endDate))

const weekdays = { short: inUtc({ weekday: 'short' }), long: inUtc({ weekday: 'long' }) }
/** Formats a weekday: 1 is Monday, 7 is Sunday. */
export const formatWeekday = (weekday: number, length: 'short' | 'long') =>
  // 1970-01-05 was a Monday.
  weekdays[length].format((weekday + 3) * 86_400_000)
export const formatHour = (hour: number) => bucketForms.hour.short.format(hour * 3_600_000)

const steps = [
  ['minute', 60],
  ['hour', 60],
  ['day', 24],
] as const

/** Formats an age that stands alone: "3 minutes ago". After a week, formats the date. */
export const formatAge = (iso: string, nowMs = Date.now()): string =>
  ageOf(iso, nowMs) ?? dates.format(new Date(iso))

/** Formats an age inside a sentence: "3 minutes ago", and after a week "on 22 Sep 2026". */
export const formatWhen = (iso: string, nowMs = Date.now()): string =>
  ageOf(iso, nowMs) ?? commonWords.onDate(dates.format(new Date(iso)))

/** Returns a time in relation to now. Undefined if it is a week away or more. */
function ageOf(iso: string, nowMs: number): string | undefined {
  let amount = (new Date(iso).getTime() - nowMs) / 1000
  let unit: Intl.RelativeTimeFormatUnit = 'second'
  for (const [larger, size] of steps) {
    if (Math.abs(amount) < size) break
    amount /= size
    unit = larger
  }
  if (unit === 'day' && Math.abs(amount) >= 7) return undefined
  const whole = Math.round(amount)
  return unit === 'second' && whole === 0 ? commonWords.justNow : relative.format(whole, unit)
}
