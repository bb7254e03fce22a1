import type { Conditions, ExcludedConditions } from './rules.ts'
import { commonRanges, isWithin, mergeRanges, restOfWeek, weekRanges } from './week-hours.ts'

export const listNames = [
  'countries',
  'regions',
  'languages',
  'devices',
  'os',
  'browsers',
  'networks',
] as const
/** Fields whose entries are texts. */
export type ListName = (typeof listNames)[number]

/** A rule that comes earlier and may answer. */
export type EarlierRule = { index: number; when: Conditions }

/**
 * Returns the earlier rules that answer all visitors of a rule, at most once each: one of them
 * alone, or several that share the entries of one list, the hours of the week, or first and later
 * visits. Undefined if this is not certain.
 */
export function hidingRules(
  earlier: readonly EarlierRule[],
  when: Conditions,
  nowMs: number,
): number[] | undefined {
  const alone = earlier.find((one) => includes(one.when, when, nowMs))
  if (alone !== undefined) return [alone.index]
  const together =
    listNames.map((name) => sharedList(name, { earlier, when, nowMs })).find((found) => found.length > 0) ??
    [sharedVisits({ earlier, when, nowMs }), sharedHours({ earlier, when, nowMs })].find(
      (found) => found.length > 0,
    )
  return together?.map(({ index }) => index)
}

type Sharing = { earlier: readonly EarlierRule[]; when: Conditions; nowMs: number }

/** Returns the rules whose entries of a list together have all of a rule; empty if they do not. */
function sharedList(name: ListName, { earlier, when, nowMs }: Sharing): EarlierRule[] {
  const wanted = when[name]
  if (wanted === undefined || wanted.length < 2) return []
  const entriesOf = (one: EarlierRule): readonly string[] => one.when[name] ?? []
  const sharing = earlier.filter(
    (one) =>
      wanted.some((entry) => isCovered(name, [entry], entriesOf(one))) &&
      includes(without(one.when, name), when, nowMs),
  )
  return isCovered(name, wanted, sharing.flatMap(entriesOf)) ? sharing : []
}

/** Of every scan it is known whether it is a first one. */
function sharedVisits({ earlier, when, nowMs }: Sharing): EarlierRule[] {
  const sharing = earlier.filter(
    (one) => one.when.visit !== undefined && includes(without(one.when, 'visit'), when, nowMs),
  )
  return new Set(sharing.map((one) => one.when.visit)).size === 2 ? sharing : []
}

/** Hours add up only in one time zone. */
function sharedHours({ earlier, when, nowMs }: Sharing): EarlierRule[] {
  const sharing = earlier.filter((one) => includes(without(one.when, 'days', 'from', 'to'), when, nowMs))
  for (const timeZone of new Set(sharing.map((one) => one.when.timeZone))) {
    const own = timeZone === when.timeZone ? weekRanges(when) : weekRanges({})
    const needed = sharing.filter(
      (one) => one.when.timeZone === timeZone && commonRanges(weekRanges(one.when), own).length > 0,
    )
    if (isWithin(own, mergeRanges(needed.flatMap((one) => weekRanges(one.when))))) return needed
  }
  return []
}

function without(when: Conditions, ...names: readonly (keyof Conditions)[]): Conditions {
  return Object.fromEntries(
    Object.entries(when).filter(([name]) => !(names as readonly string[]).includes(name)),
  )
}

/** Whether each entry of a list is one of the others. A language has those that it begins. */
export function isCovered(name: ListName, inner: readonly string[], outer: readonly string[]): boolean {
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
