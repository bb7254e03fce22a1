import { problem } from '../problems/local-problem.ts'
import type { FieldProblem, Problem } from '../problems/problem.ts'
import { countries } from '../schema/countries.ts'
import { limits } from '../schema/limits.ts'
import { joinPath } from '../schema/paths.ts'
import { browserNames, osNames } from './device-names.ts'
import type { Conditions, ExcludedConditions, RuleInput } from './rules.ts'

/** Checks that only the caller can make. */
export type RuleFacts = {
  /** Returns the problems of the content of a rule or arm. */
  dataProblems: (data: Record<string, unknown>, path: string) => readonly FieldProblem[]
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
): FieldProblem[] {
  const ids = new Set<string>()
  const problems = rules.flatMap((rule, index) => {
    const place = joinPath(path, index)
    const isDoubled = rule.id !== undefined && ids.has(rule.id)
    if (rule.id !== undefined) ids.add(rule.id)
    return [
      ...(isDoubled ? [{ path: joinPath(place, 'id'), ...problem('ruleIdTwice') }] : []),
      ...(isKnown(rule) ? [] : problemsOfRule(rule, place, facts)),
    ]
  })
  const bytes = JSON.stringify(rules).length
  if (bytes <= limits.rulesCharsMax) return problems
  return [...problems, { path, ...problem('rulesTooLong', { max: limits.rulesCharsMax, got: bytes }) }]
}

type RuleProblemOptions = {
  path?: string
  /** Returns whether a rule is stored as it is. */
  isKnown?: (rule: RuleInput) => boolean
}

function problemsOfRule({ when, data, split }: RuleInput, path: string, facts: RuleFacts): FieldProblem[] {
  const problems: FieldProblem[] = []
  if ((data === undefined) === (split === undefined)) problems.push({ path, ...problem('dataOrSplit') })
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
    if (names.has(arm.name)) problems.push({ path: joinPath(place, 'name'), ...problem('armNameTwice') })
    names.add(arm.name)
    problems.push(...facts.dataProblems(arm.data, joinPath(place, 'data')))
  }
  return problems
}

/** The check of each value of a list, and the problem of one that it refuses. */
type Expectation = {
  name: keyof ExcludedConditions
  accepts: (value: string) => boolean
  refused:
    | 'noSuchBrowser'
    | 'noSuchCountry'
    | 'noSuchLanguage'
    | 'noSuchNetwork'
    | 'noSuchOs'
    | 'noSuchRegion'
}

function conditionProblems(
  conditions: Conditions | ExcludedConditions,
  { path, timeZone }: { path: string; timeZone: string | undefined },
  { isRegion, isNetwork }: RuleFacts,
): FieldProblem[] {
  const lists: readonly Expectation[] = [
    {
      name: 'countries',
      accepts: (code) => countries.has(code),
      refused: 'noSuchCountry',
    },
    { name: 'regions', accepts: isRegion, refused: 'noSuchRegion' },
    { name: 'languages', accepts: isLanguage, refused: 'noSuchLanguage' },
    {
      name: 'os',
      accepts: (name) => osNames.has(name),
      refused: 'noSuchOs',
    },
    {
      name: 'browsers',
      accepts: (name) => browserNames.has(name),
      refused: 'noSuchBrowser',
    },
    {
      name: 'networks',
      accepts: isNetwork,
      refused: 'noSuchNetwork',
    },
  ]
  return [
    ...lists.flatMap(({ name, accepts, refused }) =>
      ((conditions[name] ?? []) as readonly string[]).flatMap((value, index) =>
        accepts(value)
          ? []
          : [{ path: joinPath(joinPath(path, name), index), ...problem(refused, { got: value }) }],
      ),
    ),
    ...(conditions.cities ?? []).flatMap(({ country }, index) =>
      countries.has(country)
        ? []
        : [
            {
              path: `${joinPath(joinPath(path, 'cities'), index)}.country`,
              ...problem('noSuchCountry', { got: country }),
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
): FieldProblem[] {
  const problems: FieldProblem[] = []
  const add = (name: string, found: Problem) => problems.push({ path: joinPath(path, name), ...found })
  if (from !== undefined && to === undefined) add('to', problem('requiredWith', { field: 'from' }))
  if (to !== undefined && from === undefined) add('from', problem('requiredWith', { field: 'to' }))
  if (from !== undefined && from === to) add('to', problem('fromEqualsTo'))
  const needsZone = days !== undefined || from !== undefined || to !== undefined
  if (needsZone && timeZone === undefined) add('timeZone', problem('timeZoneMissing'))
  if (own !== undefined && !isTimeZone(own)) add('timeZone', problem('noSuchTimeZone', { got: own }))
  for (const [name, text] of Object.entries({ startsAt, endsAt }))
    if (text !== undefined && Number.isNaN(Date.parse(text))) add(name, problem('noSuchTime', { got: text }))
  if (startsAt !== undefined && endsAt !== undefined && Date.parse(startsAt) >= Date.parse(endsAt))
    add('endsAt', problem('endsAtNotLater'))
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
