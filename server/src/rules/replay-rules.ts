import { asks, type CompiledRule } from './compile-rules.ts'
import { conditionName, type Condition, type ConditionName } from './conditions.ts'
import type { VisitorFacts } from './visitor-facts.ts'

/** The rule and arm that a scan would have had; -1 is the code's own data. */
export type Replayed = { at: number; arm: number }

/** Fields whose facts a stored scan does not have. */
const unstored: ReadonlySet<ConditionName> = new Set(['query', 'networks', 'visit'])

/** The columns of stored scans that rules ask for. */
export type AskedColumns = {
  country: boolean
  region: boolean
  city: boolean
  language: boolean
  device: boolean
  os: boolean
  browser: boolean
  visitor: boolean
  /** `minute`: the rules cannot tell two moments of a minute apart. */
  time: 'millisecond' | 'minute' | undefined
}

/** Returns the columns that decide which rule a stored scan would have had. */
export function askedColumns(compiled: readonly CompiledRule[]): AskedColumns {
  const hasTimes = asks(compiled, 'startsAt', 'endsAt', 'days', 'from')
  const moments = compiled.flatMap(({ rule: { when = {} } }) =>
    [when.startsAt, when.endsAt, when.not?.startsAt, when.not?.endsAt].filter((one) => one !== undefined),
  )
  const areMinutes = moments.every((moment) => Date.parse(moment) % 60_000 === 0)
  return {
    country: asks(compiled, 'countries', 'regions', 'cities'),
    region: asks(compiled, 'regions'),
    city: asks(compiled, 'cities'),
    language: asks(compiled, 'languages'),
    device: asks(compiled, 'devices'),
    os: asks(compiled, 'os'),
    browser: asks(compiled, 'browsers'),
    visitor: compiled.some(({ split }) => split !== undefined),
    time: !hasTimes ? undefined : areMinutes ? 'minute' : 'millisecond',
  }
}

/** A rule with the conditions that can be judged, and the names of the others. */
type ReplayedRule = { compiled: CompiledRule; stored: readonly Condition[]; open: readonly string[] }

/**
 * Judges stored scans as `findRule` judges visitors. A scan that comes to a rule whose other
 * conditions hold, but which asks for a fact that is not stored, is undecided.
 */
export class RuleReplay {
  readonly #rules: readonly ReplayedRule[]
  /** Names of the conditions that left scans undecided. */
  readonly openConditions = new Set<string>()

  constructor(compiled: readonly CompiledRule[]) {
    this.#rules = compiled.map((one) => ({
      compiled: one,
      stored: one.conditions.filter(({ field }) => !unstored.has(field)),
      open: one.conditions.filter(({ field }) => unstored.has(field)).map(conditionName),
    }))
  }

  /** Returns undefined if the scan is undecided. */
  judge(visitor: VisitorFacts): Replayed | undefined {
    for (let at = 0; at < this.#rules.length; at++) {
      const { compiled, stored, open } = this.#rules[at] as ReplayedRule
      if (!stored.every(({ holds }) => holds(visitor))) continue
      if (open.length === 0) return { at, arm: compiled.split?.(visitor.key()) ?? 0 }
      for (const name of open) this.openConditions.add(name)
      return undefined
    }
    return { at: -1, arm: 0 }
  }
}
