import { isDeepStrictEqual } from 'node:util'
import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import { ruleProblems } from '@everscan/contract/rules/rule-problems.ts'
import type { Rule, RuleInput } from '@everscan/contract/rules/rules.ts'
import { problem, type FieldProblem } from '@everscan/contract/problems/problem.ts'
import { readNetwork } from '../../rules/networks.ts'
import { contentProblems } from './content-problems.ts'
import { isRegion } from './regions.ts'

export type CodeWithRules = {
  type: QrCodeType
  /** The rules that the code has. One that stays as it is is not judged again. */
  rules: readonly Rule[]
  /** Ids that the rules may have besides: those of a version in the history. */
  formerIds?: readonly string[]
}

/**
 * Returns every problem of new rules for a code. Their content must be as the code's own, so no
 * destination leads back here.
 */
export function codeRuleProblems(
  input: readonly RuleInput[],
  { type, rules, formerIds = [] }: CodeWithRules,
  publicUrl: string,
): readonly FieldProblem[] {
  const stored = new Map(rules.map((rule) => [rule.id, rule]))
  const known = new Set([...stored.keys(), ...formerIds])
  const unknown = input.flatMap(({ id }, index) =>
    id === undefined || known.has(id) ? [] : [{ path: `rules[${index}].id`, ...problem('noSuchRuleId') }],
  )
  return [
    ...unknown,
    ...ruleProblems(input, {
      dataProblems: (data, path) => contentProblems(type, data, publicUrl, path),
      isRegion,
      isNetwork: (text) => readNetwork(text) !== undefined,
      isKnown: (rule) => isDeepStrictEqual({ enabled: true, ...rule }, stored.get(rule.id ?? '')),
    }),
  ]
}
