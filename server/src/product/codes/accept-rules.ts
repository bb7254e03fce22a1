import { tidyData } from '@everscan/contract/code-types/tidy-data.ts'
import type { Rule, RuleInput } from '@everscan/contract/rules/rules.ts'
import { createId } from '../../ids.ts'
import { codeRuleProblems, type CodeWithRules } from '../validation/code-rule-problems.ts'
import { validationError } from '../../request-errors.ts'

/**
 * Returns the rules of a request as they are stored: those of the code keep their ids, others get
 * new ones. Throws ApiError 400 with every problem.
 */
export function acceptRules(input: readonly RuleInput[], code: CodeWithRules, publicUrl: string): Rule[] {
  for (const { data, split = [] } of input)
    for (const content of [data, ...split.map((arm) => arm.data)]) tidyData(code.type, content)
  const problems = codeRuleProblems(input, code, publicUrl)
  if (problems.length > 0) throw validationError(problems)
  return input.map(({ id = createId('rul'), name, enabled = true, ...rest }) => ({
    id,
    name,
    enabled,
    ...rest,
  }))
}

/** Returns the rules of a copy, which have ids of their own. */
export function copyRules(rules: readonly Rule[]): Rule[] {
  return rules.map((rule) => ({ ...rule, id: createId('rul') }))
}
