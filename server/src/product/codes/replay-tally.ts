import type { RulesReplay } from '@everscan/contract/rules/rule-trials.ts'
import type { Rule } from '@everscan/contract/rules/rules.ts'
import type { ReplayedScans } from '../../analytics/scan-store.ts'
import type { CompiledRule } from '../../rules/compile-rules.ts'
import type { Replayed } from '../../rules/replay-rules.ts'
import type { ListedRule } from './listed-rules.ts'

/** Adds up a replay: the scans as they were, and as they would have been. */
export class ReplayTally {
  readonly #compiled: readonly CompiledRule[]
  readonly #recorded = new Map<string, { rule: string; arm: string; scans: number }>()
  readonly #replayed = new Map<string, Replayed & { scans: number }>()
  #scans = 0
  #changed = 0
  undecided = 0

  constructor(compiled: readonly CompiledRule[]) {
    this.#compiled = compiled
  }

  /** `replayed` is undefined if the scans are undecided. */
  add({ rule, arm, scans }: ReplayedScans, replayed: Replayed | undefined): void {
    this.#scans += scans
    countIn(this.#recorded, `${rule} ${arm}`, { rule, arm, scans })
    if (replayed === undefined) {
      this.undecided += scans
      return
    }
    countIn(this.#replayed, `${replayed.at} ${replayed.arm}`, { ...replayed, scans })
    const now = this.#compiled[replayed.at]?.rule
    if (rule !== (now?.id ?? '') || arm !== (now?.split?.[replayed.arm]?.name ?? '')) this.#changed += scans
  }

  /** Rules in use that got nothing are in the result, too. */
  result(
    listed: readonly ListedRule[],
    saved: readonly Rule[],
  ): Pick<RulesReplay, 'scans' | 'recorded' | 'replayed' | 'changed'> {
    const byId = new Map([...saved, ...listed.map(({ rule }) => rule)].map((rule) => [rule.id, rule]))
    const indexOf = (id: string) => listed.findIndex((one) => one.ruleId === id)
    const recorded = [...this.#recorded.values()]
      .toSorted((a, b) => b.scans - a.scans)
      .map(({ rule, arm, scans }) => ({
        ruleId: rule === '' ? null : rule,
        index: rule === '' || indexOf(rule) < 0 ? null : indexOf(rule),
        name: byId.get(rule)?.name ?? null,
        arm: arm === '' ? null : arm,
        ...this.#share(scans),
      }))
    const replayed = this.#compiled.flatMap(({ rule }, at) => {
      const place = listed.find((one) => one.rule === rule)
      return (rule.split ?? [undefined]).map((arm, index) => ({
        ruleId: place?.ruleId ?? null,
        index: place?.index ?? null,
        name: rule.name,
        arm: arm?.name ?? null,
        ...this.#share(this.#replayed.get(`${at} ${index}`)?.scans ?? 0),
      }))
    })
    const own = { ruleId: null, index: null, name: null, arm: null }
    return {
      scans: this.#scans,
      recorded,
      replayed: [...replayed, { ...own, ...this.#share(this.#replayed.get('-1 0')?.scans ?? 0) }],
      changed: this.#changed,
    }
  }

  #share(scans: number): { scans: number; percentage: number } {
    return { scans, percentage: this.#scans === 0 ? 0 : Math.round((scans / this.#scans) * 1000) / 10 }
  }
}

function countIn<Counted extends { scans: number }>(
  counts: Map<string, Counted>,
  key: string,
  counted: Counted,
): void {
  const known = counts.get(key)
  if (known === undefined) counts.set(key, counted)
  else known.scans += counted.scans
}
