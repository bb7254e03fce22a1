import type { DashboardLanguage } from '@everscan/contract/schema/dashboard-languages.ts'

/** Numbers, days and names of countries in the language of a mail. Times are in UTC. */
export type MailFormats = {
  number: (value: number) => string
  /** A share on a scale from 0 to 100. */
  percent: (percentage: number) => string
  country: (code: string) => string | undefined
  /** Of a tag without a region. */
  language: (tag: string) => string | undefined
  /** "1 Mar". */
  shortDay: (timeMs: number) => string
  /** "Mar 2026". */
  month: (timeMs: number) => string
  /** "1 March 2026". */
  day: (timeMs: number) => string
  /** "1 – 3 Mar 2026". */
  days: (fromMs: number, toMs: number) => string
  /** "1 March 2026 at 09:30". */
  time: (timeMs: number) => string
}

const made = new Map<DashboardLanguage, MailFormats>()

/** Returns the formats of a language. They are made once: `Intl` takes milliseconds for it. */
export function mailFormats(language: DashboardLanguage): MailFormats {
  const known = made.get(language)
  if (known !== undefined) return known
  const formats = createFormats(language === 'en' ? 'en-GB' : language)
  made.set(language, formats)
  return formats
}

function createFormats(locale: string): MailFormats {
  const inUtc = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
  const numbers = new Intl.NumberFormat(locale)
  const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const countries = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' })
  const languages = new Intl.DisplayNames(locale, { type: 'language', fallback: 'none' })
  const shortDays = inUtc({ day: 'numeric', month: 'short' })
  const months = inUtc({ month: 'short', year: 'numeric' })
  const longDays = inUtc({ dateStyle: 'long' })
  const days = inUtc({ dateStyle: 'medium' })
  const times = inUtc({ dateStyle: 'long', timeStyle: 'short' })
  return {
    number: (value) => numbers.format(value),
    percent: (percentage) => percents.format(percentage / 100),
    country: (code) => (/^[A-Z]{2}$/.test(code) && code !== 'XX' ? countries.of(code) : undefined),
    language: (tag) => (/^[a-z]{2,3}$/.test(tag) ? languages.of(tag) : undefined),
    shortDay: (timeMs) => shortDays.format(timeMs),
    month: (timeMs) => months.format(timeMs),
    day: (timeMs) => longDays.format(timeMs),
    days: (fromMs, toMs) => days.formatRange(fromMs, toMs),
    time: (timeMs) => times.format(timeMs),
  }
}
