import type { Conditions, ExcludedConditions, RuleInput } from './rules.ts'
import { hidingRules, isCovered, listNames } from './hidden-rules.ts'
import { isWithin, weekRanges } from './week-hours.ts'

/**
 * Why a rule never answers. `ended`: its period is over. `never`: a condition contradicts another;
 * `field` is its name. `hidden`: the rules at `by` answer all of its visitors first.
 */
export type RuleWarning =
  | { index: number; kind: 'ended' }
  | { index: number; kind: 'never'; field: keyof ExcludedConditions }
  | { index: number; kind: 'hidden'; by: number[] }

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
  const earlier = rules.flatMap(({ enabled = true, when: conditions = {} }, at) =>
    at < index && enabled && !isDead.has(at) ? [{ index: at, when: conditions }] : [],
  )
  const by = hidingRules(earlier, when, nowMs)
  return by === undefined ? undefined : { index, kind: 'hidden', by }
}

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
