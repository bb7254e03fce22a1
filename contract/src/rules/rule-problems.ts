import type { Problem } from '../schema/problems.ts'
import { countries } from '../schema/countries.ts'
import { limits } from '../schema/limits.ts'
import { joinPath } from '../schema/paths.ts'
import { browserNames, osNames } from './device-names.ts'
import type { Conditions, ExcludedConditions, RuleInput } from './rules.ts'

/** Checks that only the caller can make. */
export type RuleFacts = {
  /** Returns the problems of the content of a rule or arm. */
  dataProblems: (data: Record<string, unknown>, path: string) => readonly Problem[]
  /** Returns whether ISO 3166-2 has a code. */
  isRegion: (code: string) => boolean
  /** Returns whether a text is a network in CIDR notation. */
  isNetwork: (text: string) => boolean
}

/**
 * Returns all problems of rules that match their schema: names that nothing has, and fields that do
 * not fit together. `path` is that of the list. Rules for which `isKnown` returns true are not
 * judged, except as a part of the list.
 */
export function ruleProblems(
  rules: readonly RuleInput[],
  { path = 'rules', isKnown = () => false, ...facts }: RuleFacts & RuleProblemOptions,
): Problem[] {
  const ids = new Set<string>()
  const problems = rules.flatMap((rule, index) => {
    const place = joinPath(path, index)
    const isDoubled = rule.id !== undefined && ids.has(rule.id)
    if (rule.id !== undefined) ids.add(rule.id)
    return [
      ...(isDoubled ? [{ path: joinPath(place, 'id'), message: 'must not be that of another rule' }] : []),
      ...(isKnown(rule) ? [] : problemsOfRule(rule, place, facts)),
    ]
  })
  const bytes = JSON.stringify(rules).length
  if (bytes <= limits.rulesCharsMax) return problems
  const message = `must have at most ${limits.rulesCharsMax} characters as JSON, got ${bytes}`
  return [...problems, { path, message }]
}

type RuleProblemOptions = {
  path?: string
  /** Returns whether a rule is stored as it is. */
  isKnown?: (rule: RuleInput) => boolean
}

function problemsOfRule({ when, data, split }: RuleInput, path: string, facts: RuleFacts): Problem[] {
  const problems: Problem[] = []
  if ((data === undefined) === (split === undefined))
    problems.push({ path, message: 'must have either data or split' })
  if (when !== undefined) {
    const place = joinPath(path, 'when')
    problems.push(...conditionProblems(when, { path: place, timeZone: when.timeZone }, facts))
    if (when.not !== undefined) {
      const timeZone = when.not.timeZone ?? when.timeZone
      problems.push(...conditionProblems(when.not, { path: joinPath(place, 'not'), timeZone }, facts))
    }
  }
  if (data !== undefined) problems.push(...facts.dataProblems(data, joinPath(path, 'data')))
  const names = new Set<string>()
  for (const [index, arm] of (split ?? []).entries()) {
    const place = joinPath(joinPath(path, 'split'), index)
    if (names.has(arm.name))
      problems.push({ path: joinPath(place, 'name'), message: 'must not be that of another arm' })
    names.add(arm.name)
    problems.push(...facts.dataProblems(arm.data, joinPath(place, 'data')))
  }
  return problems
}

/** The check of each value of a list, and its message. */
type Expectation = { name: keyof ExcludedConditions; accepts: (value: string) => boolean; expected: string }

function conditionProblems(
  conditions: Conditions | ExcludedConditions,
  { path, timeZone }: { path: string; timeZone: string | undefined },
  { isRegion, isNetwork }: RuleFacts,
): Problem[] {
  const lists: readonly Expectation[] = [
    {
      name: 'countries',
      accepts: (code) => countries.has(code),
      expected: 'must be an ISO 3166-1 country code',
    },
    { name: 'regions', accepts: isRegion, expected: 'must be an ISO 3166-2 code, like "DE-BY"' },
    { name: 'languages', accepts: isLanguage, expected: 'must be a BCP 47 language tag' },
    {
      name: 'os',
      accepts: (name) => osNames.has(name),
      expected: 'must be an operating system as analytics name it, like "iOS"',
    },
    {
      name: 'browsers',
      accepts: (name) => browserNames.has(name),
      expected: 'must be a browser as analytics name it, like "Safari"',
    },
    {
      name: 'networks',
      accepts: isNetwork,
      expected: 'must be a network in CIDR notation, like "203.0.113.0/24"',
    },
  ]
  return [
    ...lists.flatMap(({ name, accepts, expected }) =>
      ((conditions[name] ?? []) as readonly string[]).flatMap((value, index) =>
        accepts(value)
          ? []
          : [{ path: joinPath(joinPath(path, name), index), message: `${expected}, got "${value}"` }],
      ),
    ),
    ...(conditions.cities ?? []).flatMap(({ country }, index) =>
      countries.has(country)
        ? []
        : [
            {
              path: `${joinPath(joinPath(path, 'cities'), index)}.country`,
              message: `must be an ISO 3166-1 country code, got "${country}"`,
            },
          ],
    ),
    ...timeProblems(conditions, path, timeZone),
  ]
}

function timeProblems(
  { days, from, to, startsAt, endsAt, timeZone: own }: ExcludedConditions,
  path: string,
  timeZone: string | undefined,
): Problem[] {
  const problems: Problem[] = []
  const add = (name: string, message: string) => problems.push({ path: joinPath(path, name), message })
  if (from !== undefined && to === undefined) add('to', 'is required with from')
  if (to !== undefined && from === undefined) add('from', 'is required with to')
  if (from !== undefined && from === to) add('to', 'must differ from from')
  const needsZone = days !== undefined || from !== undefined || to !== undefined
  if (needsZone && timeZone === undefined) add('timeZone', 'is required with days, from and to')
  if (own !== undefined && !isTimeZone(own))
    add('timeZone', `must be an IANA time zone, like "Europe/Berlin", got "${own}"`)
  for (const [name, text] of Object.entries({ startsAt, endsAt }))
    if (text !== undefined && Number.isNaN(Date.parse(text)))
      add(name, `must be a time that exists, got "${text}"`)
  if (startsAt !== undefined && endsAt !== undefined && Date.parse(startsAt) >= Date.parse(endsAt))
    add('endsAt', 'must be later than startsAt')
  return problems
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
