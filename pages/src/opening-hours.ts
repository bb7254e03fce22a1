import { listOf, textOf, type Fields } from '@everscan/contract/schema/fields.ts'
import { weekdays } from '@everscan/contract/schema/weekdays.ts'

/** Days in a row with the same hours. `hours` is empty for days that are closed. */
export type HoursLine = { days: string; hours: string }

/** A Monday at midnight, in UTC. */
const mondayMs = Date.UTC(2024, 0, 1)
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/**
 * Returns the opening hours of a week as the reader writes them. Days in a row with the same hours
 * share a line: `Mon – Fri`, `11:00 – 22:00`. Lines break between hours only. Empty without any
 * hours.
 */
export function hoursLines(data: Fields, locale: string): HoursLine[] {
  const entries = listOf(data, 'openingHours')
  const day = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' })
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' })
  const comma = commaOf(locale)
  const nameOf = (at: number) => day.format(mondayMs + at * dayMs)
  const lines: { from: number; to: number; hours: string }[] = []
  for (const [at, weekday] of weekdays.entries()) {
    const hours = entries
      .filter(({ days }) => Array.isArray(days) && days.includes(weekday))
      .map((entry) => [msOf(entry, 'from'), msOf(entry, 'to')] as const)
      .filter(([from, to]) => Number.isFinite(from) && Number.isFinite(to))
      .toSorted(([one], [other]) => one - other)
      .map(([from, to]) => `${time.format(from)} – ${time.format(to)}`.replaceAll(' ', '\u00a0'))
      .join(comma)
    const last = lines.at(-1)
    if (last !== undefined && last.hours === hours) last.to = at
    else lines.push({ from: at, to: at, hours })
  }
  if (lines.every(({ hours }) => hours === '')) return []
  return lines.map(({ from, to, hours }) => ({
    days: from === to ? nameOf(from) : `${nameOf(from)} – ${nameOf(to)}`,
    hours,
  }))
}

/**
 * Returns the text between the first two of three parts in a list: the comma of the language, or in
 * Arabic its "and". Before the last part, many languages have a word, which makes hours longer.
 */
function commaOf(locale: string): string {
  const list = new Intl.ListFormat(locale, { type: 'conjunction', style: 'narrow' })
  return list.formatToParts(['1', '2', '3'])[1]?.value ?? ', '
}

function msOf(entry: Fields, name: string): number {
  const [hour, minute] = textOf(entry, name).split(':').map(Number)
  return mondayMs + ((hour ?? Number.NaN) * 60 + (minute ?? Number.NaN)) * minuteMs
}
