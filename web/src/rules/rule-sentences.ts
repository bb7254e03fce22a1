import type { Conditions, ExcludedConditions } from '@everscan/contract/rules/rules.ts'
import { weekdays } from '@everscan/contract/schema/weekdays.ts'
import { rulesWords } from '../words/rules-words.ts'

const text = rulesWords.sentence

/** Names of values in the language of the reader. */
export type ValueNames = {
  country: (code: string) => string
  language: (tag: string) => string
  moment: (iso: string) => string
}

const namesMax = 3

/**
 * Returns a sentence that says when a rule fits: "On weekdays from 11:00 to 15:00, in Berlin time,
 * but not in Germany".
 */
export function whenSentence({ not = {}, ...when }: Conditions, names: ValueNames): string {
  const parts = conditionParts(when, when.timeZone, names)
  const excluded = conditionParts(not, not.timeZone ?? when.timeZone, names)
  const said = [...parts, ...excluded.map(text.not)].join(text.list)
  return said === '' ? text.always : `${said.charAt(0).toUpperCase()}${said.slice(1)}`
}

function conditionParts(when: ExcludedConditions, timeZone: string | undefined, names: ValueNames): string[] {
  const { days, from, to, startsAt, endsAt, visit, query } = when
  const list = (values: readonly string[]) => joined(values, text.or)
  const hours = from === undefined || to === undefined ? [] : [text.hours(from, to)]
  const times = [...(days === undefined ? [] : [daysInWords(days)]), ...hours]
  const dates = [
    ...(startsAt === undefined ? [] : [text.starts(names.moment(startsAt))]),
    ...(endsAt === undefined ? [] : [text.ends(names.moment(endsAt))]),
  ]
  return [
    ...(times.length === 0
      ? []
      : [`${times.join(' ')}${timeZone === undefined ? '' : text.list + text.zone(zoneCity(timeZone))}`]),
    ...(dates.length === 0 ? [] : [dates.join(' ')]),
    ...(when.countries === undefined ? [] : [text.countries(list(when.countries.map(names.country)))]),
    ...(when.regions === undefined ? [] : [text.regions(list(when.regions))]),
    ...(when.cities === undefined ? [] : [text.cities(list(when.cities.map(({ city }) => city)))]),
    ...(when.languages === undefined ? [] : [text.languages(list(when.languages.map(names.language)))]),
    ...(when.devices === undefined
      ? []
      : [text.devices(list(when.devices.map((one) => text.deviceNames[one])))]),
    ...(when.os === undefined ? [] : [text.os(list(when.os))]),
    ...(when.browsers === undefined ? [] : [text.browsers(list(when.browsers))]),
    ...(query === undefined ? [] : [text.query(queryInWords(query))]),
    ...(when.networks === undefined ? [] : [text.networks(list(when.networks))]),
    ...(visit === undefined ? [] : [text.visits[visit]]),
  ]
}

function queryInWords(query: Readonly<Record<string, string | null>>): string {
  const pairs = Object.entries(query).map(([name, value]) => (value === null ? name : `${name}=${value}`))
  return joined(pairs, text.and)
}

function daysInWords(days: NonNullable<ExcludedConditions['days']>): string {
  const chosen = weekdays.filter((day) => days.includes(day))
  if (chosen.length === weekdays.length) return text.days.all
  if (chosen.join() === 'MO,TU,WE,TH,FR') return text.days.weekdays
  if (chosen.join() === 'SA,SU') return text.days.weekends
  return text.days.some(
    joinedAll(
      chosen.map((day) => rulesWords.shortWeekdays[day]),
      text.and,
    ),
  )
}

/** Returns the city after which a time zone is named: "New York". */
export function zoneCity(timeZone: string): string {
  return (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ')
}

/** Joins a few names. Of many, it has the first ones and the number of the rest. */
function joined(names: readonly string[], last: string): string {
  if (names.length <= namesMax + 1) return joinedAll(names, last)
  return text.more(names.slice(0, namesMax).join(text.list), names.length - namesMax)
}

function joinedAll(names: readonly string[], last: string): string {
  return names.length < 2
    ? names.join('')
    : `${names.slice(0, -1).join(text.list)}${last}${names.at(-1) ?? ''}`
}

/** Returns the shares of arms in percent, rounded so that they add up to 100. */
export function sharesOf(weights: readonly number[]): number[] {
  const counted = weights.map((weight) => (weight > 0 ? weight : 0))
  const total = counted.reduce((sum, weight) => sum + weight, 0)
  if (total === 0) return weights.map(() => 0)
  const exact = counted.map((weight) => (weight / total) * 100)
  const shares = exact.map(Math.floor)
  const byRest = exact
    .map((share, at) => ({ at, rest: share - Math.floor(share) }))
    .toSorted((a, b) => b.rest - a.rest)
  const missing = 100 - shares.reduce((sum, share) => sum + share, 0)
  for (const { at } of byRest.slice(0, missing)) shares[at] = (shares[at] ?? 0) + 1
  return shares
}
