import type { Conditions, ExcludedConditions } from '@everscan/contract/rules/rules.ts'
import { weekdays } from '@everscan/contract/schema/weekdays.ts'
import { readNetwork } from './networks.ts'
import type { VisitorFacts } from './visitor-facts.ts'
import { zoneClock } from './zone-clock.ts'

/** A field of a condition, in the words of the interface. Hours and dates are one field each. */
export type ConditionName = Exclude<keyof ExcludedConditions, 'timeZone'>

/** A compiled field. It never allocates what the fact itself does not need. */
export type Condition = {
  field: ConditionName
  /** Whether it is one of `not`. */
  isExcluded: boolean
  holds: (visitor: VisitorFacts) => boolean
}

/** Returns the name of a condition for people and programs: `countries`, or `not.countries`. */
export function conditionName({ field, isExcluded }: Pick<Condition, 'field' | 'isExcluded'>): string {
  return isExcluded ? `not.${field}` : field
}

const minuteMs = 60_000
const dayMs = 86_400_000

/** Compiles the fields of a condition, the quickest first. All of them must hold. */
export function compileConditions(
  { not: excluded, ...when }: Conditions,
  { sharedZone }: { sharedZone?: string | undefined } = {},
): Condition[] {
  const timeZone = when.timeZone ?? sharedZone
  const conditions = [...compileTimes(when, timeZone), ...compilers.flatMap((compile) => compile(when) ?? [])]
  if (excluded === undefined) return conditions
  const { days, from, to, ...rest } = excluded
  const zone = { sharedZone: excluded.timeZone ?? timeZone }
  // Each field of `not` counts alone: hours that go over midnight do not move the days.
  const parts = [
    ...compileConditions(rest, zone),
    ...compileConditions(withoutUndefined({ days }), zone),
    ...compileConditions(withoutUndefined({ from, to }), zone),
  ]
  return [
    ...conditions,
    ...parts.map(({ field, holds }) => ({
      field,
      isExcluded: true,
      holds: (visitor: VisitorFacts) => !holds(visitor),
    })),
  ]
}

function condition(field: ConditionName, holds: Condition['holds']): Condition {
  return { field, isExcluded: false, holds }
}

type Compile = (when: ExcludedConditions) => Condition | undefined

const compilers: readonly Compile[] = [
  compileList('devices', (visitor) => visitor.device()),
  compileList('os', (visitor) => visitor.os()),
  compileList('browsers', (visitor) => visitor.browser()),
  compileLanguages,
  compileQuery,
  compileNetworks,
  compileList('countries', (visitor) => visitor.country()),
  compileList('regions', (visitor) => visitor.region()),
  compileCities,
  ({ visit }) =>
    visit === undefined ? undefined : condition('visit', (visitor) => visitor.visit() === visit),
]

function compileList(
  name: 'devices' | 'os' | 'browsers' | 'countries' | 'regions',
  read: (visitor: VisitorFacts) => string | undefined,
): Compile {
  return ({ [name]: list }) => {
    if (list === undefined) return undefined
    const accepted: ReadonlySet<string> = new Set(list)
    return condition(name, (visitor) => {
      const value = read(visitor)
      return value !== undefined && accepted.has(value)
    })
  }
}

/** Basic filtering (RFC 4647, 3.3.1): a range takes the tags that it begins. */
function compileLanguages({ languages }: ExcludedConditions): Condition | undefined {
  if (languages === undefined) return undefined
  const ranges = languages.map((range) => range.toLowerCase())
  const holds = (visitor: VisitorFacts): boolean => {
    const language = visitor.language()
    if (language === undefined) return false
    for (const range of ranges)
      if (language.startsWith(range) && (language.length === range.length || language[range.length] === '-'))
        return true
    return false
  }
  return condition('languages', holds)
}

/** The part of a query that conditions read. The rest is unknown. */
const queryCharsMax = 8_192

function compileQuery({ query }: ExcludedConditions): Condition | undefined {
  if (query === undefined) return undefined
  const wanted = Object.entries(query)
  const holds = (visitor: VisitorFacts): boolean => {
    const text = visitor.query()
    if (text === undefined || text === '') return false
    const given = new URLSearchParams(text.slice(0, queryCharsMax))
    return wanted.every(([name, value]) => (value === null ? given.has(name) : given.has(name, value)))
  }
  return condition('query', holds)
}

function compileNetworks({ networks }: ExcludedConditions): Condition | undefined {
  if (networks === undefined) return undefined
  const tests = networks.flatMap((network) => readNetwork(network) ?? [])
  const holds = (visitor: VisitorFacts): boolean => {
    const address = visitor.address()
    return address !== undefined && tests.some((isIn) => isIn(address))
  }
  return condition('networks', holds)
}

function compileCities({ cities }: ExcludedConditions): Condition | undefined {
  if (cities === undefined) return undefined
  const countriesOf = Map.groupBy(cities, ({ city }) => city)
  const holds = (visitor: VisitorFacts): boolean => {
    const city = visitor.city()
    const found = city === undefined ? undefined : countriesOf.get(city)
    if (found === undefined) return false
    const country = visitor.country()
    return found.some((one) => one.country === country)
  }
  return condition('cities', holds)
}

function compileTimes(
  { startsAt, endsAt, days, from, to }: ExcludedConditions,
  timeZone: string | undefined,
): Condition[] {
  const times: Condition[] = []
  if (startsAt !== undefined || endsAt !== undefined) {
    const fromMs = startsAt === undefined ? -Infinity : Date.parse(startsAt)
    const untilMs = endsAt === undefined ? Infinity : Date.parse(endsAt)
    times.push(
      condition(
        startsAt === undefined ? 'endsAt' : 'startsAt',
        ({ timeMs }) => timeMs >= fromMs && timeMs < untilMs,
      ),
    )
  }
  if (timeZone === undefined) return times
  const clock = zoneClock(timeZone)
  const hours = from === undefined || to === undefined ? undefined : { from: minutes(from), to: minutes(to) }
  const isOverMidnight = hours !== undefined && hours.to < hours.from
  if (hours !== undefined) {
    const { from: first, to: end } = hours
    times.push(
      condition('from', ({ timeMs }) => {
        const minute = Math.floor(timeOfDay(clock.shown(timeMs)) / minuteMs)
        return isOverMidnight ? minute >= first || minute < end : minute >= first && minute < end
      }),
    )
  }
  if (days !== undefined) {
    // The hours after midnight belong to the day on which they began.
    const startsLate = isOverMidnight ? hours.to * minuteMs : 0
    const accepted = weekdays.map((day) => days.includes(day))
    times.push(
      condition('days', ({ timeMs }) => accepted[weekdayOf(clock.shown(timeMs) - startsLate)] ?? false),
    )
  }
  return times
}

function minutes(clockTime: string): number {
  return Number(clockTime.slice(0, 2)) * 60 + Number(clockTime.slice(3))
}

function timeOfDay(shownMs: number): number {
  return ((shownMs % dayMs) + dayMs) % dayMs
}

/** Returns 0 for Monday. 1970-01-01 was a Thursday. */
function weekdayOf(shownMs: number): number {
  return (((Math.floor(shownMs / dayMs) + 3) % 7) + 7) % 7
}

function withoutUndefined<Part extends object>(
  part: Part,
): { [Key in keyof Part]-?: NonNullable<Part[Key]> } {
  const given = Object.entries(part).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as { [Key in keyof Part]-?: NonNullable<Part[Key]> }
}
