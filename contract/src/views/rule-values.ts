/** Names in a view that stand in place of a rule. Readers see them in their language. */
export const ruleValues = {
  /** Of the filter: scans that no rule answered. */
  none: 'none',
  /** A rule that the code does not know any more. */
  unknown: 'Unknown rule',
} as const
