import { fieldsOf, type Fields } from '@everscan/contract/schema/fields.ts'
import type { Rule } from '@everscan/contract/rules/rules.ts'
import type { ScanTarget } from '../db/scans/scan-lookup.ts'
import { asks, compileRules, findArm, findRule } from '../rules/compile-rules.ts'
import type { CreateSplit } from '../rules/splits.ts'
import { contentAnswer, type AnswerParts } from './content-answer.ts'
import type { ScanAnswer } from './scan-answer.ts'

/** Prepares the answer of each rule and arm of a code, besides that of its own content. */
export function ruledAnswer(
  target: ScanTarget,
  parts: AnswerParts & { createSplit: CreateSplit },
): ScanAnswer {
  const own = contentAnswer(target, { data: fieldsOf(target.data), rule: '', arm: '' }, parts)
  const compiled = compileRules(rulesOf(target.rules), parts.createSplit)
  const outcomes = compiled.map(({ rule }) =>
    contentsOf(rule).map(({ data, arm }) => contentAnswer(target, { data, rule: rule.id, arm }, parts)),
  )
  const weights = outcomes.flat().map(({ weight = 1 }) => weight)
  const asksCity = asks(compiled, 'regions', 'cities')
  return {
    ...own,
    weight: weights.reduce((sum, weight) => sum + weight, own.weight ?? 1),
    ruled: {
      sources: [
        ...(asks(compiled, 'countries') ? (['countries'] as const) : []),
        ...(asksCity ? (['places'] as const) : []),
        ...(asks(compiled, 'devices', 'os', 'browsers') ? (['devices'] as const) : []),
      ],
      asksVisit: asks(compiled, 'visit'),
      hasRules: compiled.length > 0,
      passesQuery: target.passQuery === true,
      choose: (visitor) => {
        const at = findRule(compiled, visitor)
        const rule = compiled[at]
        return rule === undefined ? own : (outcomes[at]?.[findArm(rule, visitor)] ?? own)
      },
    },
  }
}

function contentsOf({ data, split }: Rule): { data: Fields; arm: string }[] {
  if (split === undefined) return [{ data: fieldsOf(data), arm: '' }]
  return split.map((arm) => ({ data: fieldsOf(arm.data), arm: arm.name }))
}

/** Only data that bypassed the API is no list. */
function rulesOf(stored: unknown): readonly Rule[] {
  return Array.isArray(stored) ? (stored as Rule[]) : []
}
