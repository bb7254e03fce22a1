import type { Conditions, ExcludedConditions, RuleInput } from './rules.ts'
import { isWithin, restOfWeek, weekRanges } from './week-hours.ts'

/**
 * Why a rule never answers. `ended`: its period is over. `never`: a condition contradicts another;
 * `field` is its name. `hidden`: the rule at `by` answers all of its visitors first.
 */
export type RuleWarning =
  | { index: number; kind: 'ended' }
  | { index: number; kind: 'never'; field: keyof ExcludedConditions }
  | { index: number; kind: 'hidden'; by: number }

type JudgedRule = Pick<RuleInput, 'enabled' | 'when'>

/**
 * Returns the rules in use that can never answer, at most one warning for each. Only what is
 * certain is reported: a rule without a warning may still never answer.
 */
export function ruleWarnings(rules: readonly JudgedRule[], nowMs: number): RuleWarning[] {
  const isDead = new Set<number>()
  return rules.flatMap(({ enabled = true, when = {} }, index): RuleWarning[] => {
    if (!enabled) return []
    const warning = warningOf(rules, { index, when, nowMs, isDead })
    if (warning === undefined) return []
    isDead.add(index)
    return [warning]
  })
}

function warningOf(
  rules: readonly JudgedRule[],
  {
    index,
    when,
    nowMs,
    isDead,
  }: { index: number; when: Conditions; nowMs: number; isDead: ReadonlySet<number> },
): RuleWarning | undefined {
  if (when.endsAt !== undefined && Date.parse(when.endsAt) <= nowMs) return { index, kind: 'ended' }
  const field = contradiction(when)
  if (field !== undefined) return { index, kind: 'never', field }
  const by = rules.findIndex(
    (earlier, at) =>
      at < index && earlier.enabled !== false && !isDead.has(at) && includes(earlier.when ?? {}, when, nowMs),
  )
  return by < 0 ? undefined : { index, kind: 'hidden', by }
}

const listNames = ['countries', 'regions', 'languages', 'devices', 'os', 'browsers', 'networks'] as const
type ListName = (typeof listNames)[number]

/** Returns a condition that cannot hold together with another one. */
function contradiction({ not = {}, ...when }: Conditions): keyof ExcludedConditions | undefined {
  for (const name of listNames) {
    const [wanted, excluded] = [when[name], not[name]]
    if (wanted !== undefined && excluded !== undefined && isCovered(name, wanted, excluded)) return name
  }
  const { countries, regions, cities, visit } = when
  if (countries !== undefined) {
    const isElsewhere = (country: string) => !countries.includes(country)
    if (regions?.every((region) => isElsewhere(region.slice(0, 2))) === true) return 'regions'
    if (cities?.every(({ country }) => isElsewhere(country)) === true) return 'cities'
  }
  if (visit !== undefined && not.visit === visit) return 'visit'
  const sameZone = not.timeZone === undefined || not.timeZone === when.timeZone
  const excludedDays = not.days === undefined ? [] : weekRanges({ days: not.days })
  const excludedHours = not.from === undefined ? [] : weekRanges({ from: not.from, to: not.to })
  if (!sameZone) return undefined
  if (excludedDays.length > 0 && isWithin(weekRanges(when), excludedDays)) return 'days'
  return excludedHours.length > 0 && isWithin(weekRanges(when), excludedHours) ? 'from' : undefined
}

/** Whether each entry of a list is one of the others. A language has those that it begins. */
function isCovered(name: ListName, inner: readonly string[], outer: readonly string[]): boolean {
  const covers = (whole: string, part: string): boolean => {
    if (name !== 'languages') return whole === part
    const [range, tag] = [whole.toLowerCase(), part.toLowerCase()]
    return tag === range || tag.startsWith(`${range}-`)
  }
  return inner.every((part) => outer.some((whole) => covers(whole, part)))
}

/** Whether every visitor for whom the later conditions hold fulfils the earlier ones, too. */
function includes(earlier: Conditions, later: Conditions, nowMs: number): boolean {
  const { not: excluded = {}, ...wanted } = earlier
  return (
    listNames.every((name) => wanted[name] === undefined || hasOnly(name, later, wanted[name])) &&
    (wanted.cities === undefined ||
      later.cities?.every((one) =>
        wanted.cities?.some(({ country, city }) => one.country === country && one.city === city),
      ) === true) &&
    Object.entries(wanted.query ?? {}).every(([name, value]) => {
      const given = later.query?.[name]
      return given !== undefined && (value === null || given === value)
    }) &&
    (wanted.visit === undefined || wanted.visit === later.visit) &&
    hasTimes(wanted, later, nowMs) &&
    hasExclusions(excluded, { earlier, later })
  )
}

/** Countries also follow from regions and cities. */
function hasOnly(name: ListName, later: Conditions, wanted: readonly string[]): boolean {
  const own = later[name]
  if (own !== undefined && isCovered(name, own, wanted)) return true
  return name === 'countries' && later.cities?.every(({ country }) => wanted.includes(country)) === true
}

function hasTimes(wanted: Conditions, later: Conditions, nowMs: number): boolean {
  const startsMs = momentOf(wanted.startsAt) ?? -Infinity
  const endsMs = momentOf(wanted.endsAt) ?? Infinity
  // The past does not matter: a rule that has begun hides all that comes.
  if (startsMs > Math.max(nowMs, momentOf(later.startsAt) ?? -Infinity)) return false
  if (endsMs < (momentOf(later.endsAt) ?? Infinity)) return false
  const ranges = weekRanges(wanted)
  if (restOfWeek(ranges).length === 0) return true
  return wanted.timeZone === later.timeZone && isWithin(weekRanges(later), ranges)
}

/** Whether nobody whom the earlier rule excludes comes to the later one. */
function hasExclusions(
  excluded: ExcludedConditions,
  { earlier, later }: { earlier: Conditions; later: Conditions },
): boolean {
  const { timeZone: _timeZone, ...fields } = excluded
  const names = Object.keys(fields) as (keyof typeof fields)[]
  return names.every((name) => {
    const isList = (listNames as readonly string[]).includes(name)
    if (!isList)
      return (
        JSON.stringify(excluded[name]) === JSON.stringify(later.not?.[name]) &&
        (excluded.timeZone ?? earlier.timeZone) === (later.not?.timeZone ?? later.timeZone)
      )
    const list = name as ListName
    const gone = excluded[list] ?? []
    const other = later.not?.[list]
    if (other !== undefined && isCovered(list, gone, other)) return true
    const own = later[list]
    return own !== undefined && list !== 'networks' && own.every((one) => !overlaps(list, one, gone))
  })
}

function overlaps(name: ListName, one: string, others: readonly string[]): boolean {
  return others.some((other) => isCovered(name, [one], [other]) || isCovered(name, [other], [one]))
}

function momentOf(text: string | undefined): number | undefined {
  const ms = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms
}
