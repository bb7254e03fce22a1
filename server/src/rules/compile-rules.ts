import type { Rule } from '@everscan/contract/rules/rules.ts'
import { compileConditions, type Condition, type ConditionName } from './conditions.ts'
import type { CreateSplit, Split } from './splits.ts'
import type { VisitorFacts } from './visitor-facts.ts'

/** A rule in the form that a scan evaluates. */
export type CompiledRule = {
  rule: Rule
  conditions: readonly Condition[]
  split: Split | undefined
}

/** Compiles the rules that are in use, in their order. */
export function compileRules(rules: readonly Rule[], createSplit: CreateSplit): CompiledRule[] {
  return rules.filter(({ enabled }) => enabled).map((rule) => compileRule(rule, createSplit))
}

/** Compiles a rule, in use or not. */
export function compileRule(rule: Rule, createSplit: CreateSplit): CompiledRule {
  const { id, when, split } = rule
  return {
    rule,
    conditions: when === undefined ? [] : compileConditions(when),
    split: split === undefined ? undefined : createSplit(id, split),
  }
}

/** Returns the index of the first rule whose conditions all hold; -1 if none does. */
export function findRule(compiled: readonly CompiledRule[], visitor: VisitorFacts): number {
  for (let at = 0; at < compiled.length; at++)
    if (allHold((compiled[at] as CompiledRule).conditions, visitor)) return at
  return -1
}

/** Returns the index of the visitor's arm; 0 for a rule without a split. */
export function findArm({ split }: CompiledRule, visitor: VisitorFacts): number {
  return split === undefined ? 0 : split(visitor.key())
}

function allHold(conditions: readonly Condition[], visitor: VisitorFacts): boolean {
  for (let at = 0; at < conditions.length; at++)
    if (!(conditions[at] as Condition).holds(visitor)) return false
  return true
}

/** A rule that a scan came to, and the conditions that do not hold. */
export type JudgedRule = { compiled: CompiledRule; failed: readonly Condition[] }

/**
 * Returns every rule that a scan comes to, in their order. The last one answers if nothing failed:
 * it is the rule that `findRule` finds.
 */
export function judgeRules(compiled: readonly CompiledRule[], visitor: VisitorFacts): JudgedRule[] {
  const judged: JudgedRule[] = []
  for (const one of compiled) {
    const failed = one.conditions.filter(({ holds }) => !holds(visitor))
    judged.push({ compiled: one, failed })
    if (failed.length === 0) break
  }
  return judged
}

/** Returns whether a field, in conditions or in `not` of them, is asked by any of the rules. */
export function asks(compiled: readonly CompiledRule[], ...names: readonly ConditionName[]): boolean {
  return compiled.some(({ rule: { when } }) =>
    names.some(
      (name) => when !== undefined && (name in when || (when.not !== undefined && name in when.not)),
    ),
  )
}
