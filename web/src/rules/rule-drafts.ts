import type { Conditions, Rule, RuleInput } from '@everscan/contract/rules/rules.ts'

/** Content while it is edited. It may still be invalid. */
export type RuleData = Readonly<Record<string, unknown>>
export type DraftArm = { name: string; weight: number; data: RuleData }

/** A rule in the form. Either `data` or `split` is present. */
export type DraftRule = {
  /** Id of a saved rule. A new one has an id of this page until it is saved. */
  id: string
  name: string
  enabled: boolean
  when: Conditions
  data?: RuleData
  split?: readonly DraftArm[]
}

const newPrefix = 'new-'
let lastNew = 0

/** Returns an id for a new rule. */
export const newRuleId = () => `${newPrefix}${Date.now().toString(36)}-${++lastNew}`

export const draftRules = (rules: readonly Rule[]): DraftRule[] =>
  rules.map(({ id, name, enabled, when, data, split }) => ({
    id,
    name,
    enabled,
    when: when ?? {},
    ...(data !== undefined && { data }),
    ...(split !== undefined && { split }),
  }))

/** Returns the rules to send. New rules have no id, and rules that always hold no conditions. */
export function sentRules(
  rules: readonly DraftRule[],
  sentData: (data: RuleData) => Record<string, unknown>,
): RuleInput[] {
  return rules.map(({ id, name, enabled, when, data, split }) => ({
    ...(!id.startsWith(newPrefix) && { id }),
    name: name.trim(),
    enabled,
    ...(Object.keys(sentConditions(when)).length > 0 && { when: sentConditions(when) }),
    ...(data !== undefined && { data: sentData(data) }),
    ...(split !== undefined && { split: split.map((arm) => ({ ...arm, data: sentData(arm.data) })) }),
  }))
}

/** A zone without days and hours, and exceptions without fields, say nothing. */
function sentConditions({ not, timeZone, ...when }: Conditions): Conditions {
  const hasExceptions = not !== undefined && Object.keys(not).length > 0
  const needsZone =
    [when, not ?? {}].some((one) => one.days !== undefined || one.from !== undefined) &&
    timeZone !== undefined
  return { ...when, ...(needsZone && { timeZone }), ...(hasExceptions && { not }) }
}

/**
 * Returns rules that can be saved over others: those that are gone there become new ones. Returns
 * the same list if none is.
 */
export function adoptRules(rules: readonly DraftRule[], current: readonly Rule[]): readonly DraftRule[] {
  const known = new Set(current.map(({ id }) => id))
  const isGone = ({ id }: DraftRule) => !known.has(id) && !id.startsWith(newPrefix)
  if (!rules.some(isGone)) return rules
  return rules.map((rule) => (isGone(rule) ? { ...rule, id: `${newPrefix}${rule.id}` } : rule))
}

/** Returns rules that were edited while others were saved, with the ids that these got. */
export function withSavedIds(
  rules: readonly DraftRule[],
  { sent, saved }: { sent: readonly DraftRule[]; saved: readonly Rule[] },
): DraftRule[] {
  const ids = new Map(sent.map(({ id }, at) => [id, saved[at]?.id ?? id]))
  return rules.map((rule) => ({ ...rule, id: ids.get(rule.id) ?? rule.id }))
}

/** Whether a value that was kept in the browser is a list of rules that a form can show. */
export function areDraftRules(value: unknown): value is DraftRule[] {
  return (
    Array.isArray(value) &&
    value.every(
      (rule: unknown) =>
        typeof rule === 'object' &&
        rule !== null &&
        'id' in rule &&
        typeof rule.id === 'string' &&
        'name' in rule &&
        typeof rule.name === 'string' &&
        'when' in rule &&
        typeof rule.when === 'object' &&
        ('data' in rule || 'split' in rule),
    )
  )
}

/** Moves an entry of a list. */
export function moved<Entry>(list: readonly Entry[], from: number, to: number): Entry[] {
  const entry = list[from]
  return entry === undefined ? [...list] : list.toSpliced(from, 1).toSpliced(to, 0, entry)
}
