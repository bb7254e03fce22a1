import type { QrCodeAnalytics, ScanFilters } from '@everscan/contract/resources/analytics.ts'
import type { Rule } from '@everscan/contract/rules/rules.ts'
import { useState } from 'react'
import { filterValue, parsedValue, type Filters } from '../filters.ts'
import { analyticsWords } from '../../words/analytics-words.ts'

const text = analyticsWords.destinations

/** Names of rules by id. */
export type RuleNames = ReadonlyMap<string, string>

/**
 * Returns the names of rules that were seen on this page. Figures that leave out a rule which the
 * code no longer has do not name it.
 */
export function useRuleNames(
  rules: readonly Pick<Rule, 'id' | 'name'>[],
  destinations: QrCodeAnalytics['destinations'] = [],
): RuleNames {
  const [seen] = useState(() => new Map<string, string>())
  for (const { ruleId, name } of destinations) if (ruleId !== null && name !== null) seen.set(ruleId, name)
  for (const { id, name } of rules) seen.set(id, name)
  return seen
}

/** Whether a code has rules, or its figures are of rules that it had. */
export function hasRules({
  rules,
  destinations,
  search,
}: {
  rules: readonly Rule[]
  destinations: QrCodeAnalytics['destinations']
  search: Pick<Filters, 'rule' | 'arm'>
}): boolean {
  const isFiltered = search.rule !== undefined || search.arm !== undefined
  return rules.length > 0 || isFiltered || destinations.some(({ ruleId }) => ruleId !== null)
}

/** Returns the name of a rule in a filter: the value of the filter, an id or `none`. */
export function ruleName(value: string, names: RuleNames | undefined): string {
  return value === 'none' ? text.none : (names?.get(value) ?? text.unknown)
}

/** Returns the rule and arm that answered a scan. Undefined for the code's own data. */
export function answerName(
  { ruleId, arm }: { ruleId: string | null; arm: string | null },
  names: RuleNames,
): string | undefined {
  if (ruleId === null) return undefined
  return [ruleName(ruleId, names), arm].filter((part) => part !== null).join(' · ')
}

/** Returns filters with the names of rules, in place of their ids. */
export function withRuleNames(filters: ScanFilters, names: RuleNames): ScanFilters {
  const { rule, ...others } = filters
  if (rule === undefined) return filters
  const named = rule.map(parsedValue).map(({ value, isNot }) => ({ value: ruleName(value, names), isNot }))
  return { ...others, rule: named.map(filterValue) }
}
