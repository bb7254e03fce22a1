import type { Rule, RuleInput } from '@everscan/contract/rules/rules.ts'
import type { QrCodeRow } from '../../catalogue/rows/qr-code-row.ts'
import { validationError } from '../../request-errors.ts'
import { compileRule, type CompiledRule } from '../../rules/compile-rules.ts'
import type { CreateSplit } from '../../rules/splits.ts'
import { codeRuleProblems } from '../validation/code-rule-problems.ts'

/** A rule in its place, with the id that it has for clients. */
export type ListedRule = { rule: Rule; ruleId: string | null; index: number }

/**
 * Returns the rules to judge: those of the code, or those of a request, which are checked as a
 * change of the code would be. Throws ApiError 400 with every problem.
 */
export function listedRules(
  input: readonly RuleInput[] | undefined,
  row: QrCodeRow,
  publicUrl: string,
): ListedRule[] {
  if (input === undefined) return row.rules.map((rule, index) => ({ rule, ruleId: rule.id, index }))
  const problems = codeRuleProblems(input, row, publicUrl)
  if (problems.length > 0) throw validationError(problems)
  return input.map(({ id, enabled = true, ...rest }, index) => ({
    // A new rule gets its id when it is saved. Its place stands for it here.
    rule: { id: id ?? `rules[${index}]`, enabled, ...rest },
    ruleId: id ?? null,
    index,
  }))
}

/** Compiles the rules that are in use. */
export function compileListed(listed: readonly ListedRule[], createSplit: CreateSplit): CompiledRule[] {
  return listed.filter(({ rule }) => rule.enabled).map(({ rule }) => compileRule(rule, createSplit))
}
