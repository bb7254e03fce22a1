import { hash } from 'node:crypto'
import type { Rule } from '@everscan/contract/rules/rules.ts'
import { compileRules, findRule } from '../rules/compile-rules.ts'
import type { VisitorFacts } from '../rules/visitor-facts.ts'
import type { DemoCode } from './demo-code.ts'

/** A rule of a made-up code by its index, and the name of its arm; empty without a split. */
export type DemoAnswer = { rule: number; arm: string }

/** The facts of a hit that rules ask for. */
type Asking = { timeMs: number; country: string; visitor: string }

/**
 * Returns a function that finds the rule of a code that answers a hit; undefined for the code's own
 * content. Conditions are judged as a front judges them. The same visitor has the same arm, but not
 * the one that a front would choose: that needs the secret of the installation, which the ledger of
 * a demo does not know.
 */
export function demoAnswersOf({ rules = [] }: DemoCode): (asking: Asking) => DemoAnswer | undefined {
  const numbered: Rule[] = rules.map((rule, index) => ({ enabled: true, ...rule, id: String(index) }))
  const compiled = compileRules(numbered, () => () => 0)
  return ({ timeMs, country, visitor }) => {
    const found = compiled[findRule(compiled, { ...unknown, timeMs, country: () => country })]
    if (found === undefined) return undefined
    const { id, split = [] } = found.rule
    return { rule: Number(id), arm: split.length === 0 ? '' : armOf(split, visitor) }
  }
}

function armOf(split: NonNullable<Rule['split']>, visitor: string): string {
  const drawn = Number.parseInt(hash('sha256', visitor, 'hex').slice(0, 8), 16) / 2 ** 32
  let left = drawn * split.reduce((sum, { weight }) => sum + weight, 0)
  return split.find(({ weight }) => (left -= weight) < 0)?.name ?? ''
}

const nothing = () => undefined
const unknown: Omit<VisitorFacts, 'timeMs' | 'country'> = {
  region: nothing,
  city: nothing,
  language: nothing,
  device: nothing,
  os: nothing,
  browser: nothing,
  query: nothing,
  address: nothing,
  visit: nothing,
  key: () => '',
}
