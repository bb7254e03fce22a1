import type { ExcludedConditions } from '@everscan/contract/rules/rules.ts'
import type { RulePaths } from './rule-paths.ts'

/** Props of the editor of a condition: all conditions, of which it changes its own. */
export type ConditionProps = {
  when: ExcludedConditions
  path: string
  form: RulePaths
  onChange: (fields: { [Name in keyof ExcludedConditions]?: ExcludedConditions[Name] | undefined }) => void
}
