import type { ComparedLink, Comparison } from '@everscan/contract/moves/comparisons.ts'
import type { MovedSample } from './move-row.ts'

/** The input of a comparison: the links, each with the old short URL to ask. */
export type ComparisonInput = {
  baseUrl: string | null
  domain: { hostname: string; codes: 'canonical' | 'exact' } | null
  links: readonly Required<MovedSample>[]
}

export type ComparisonProgress = {
  comparedLinks: number
  sameCount: number
  differences: readonly ComparedLink[]
  /** How often the old service asked to wait for the next link. */
  waits: number
  failureReason?: string
}

/** A stored comparison. */
export type ComparisonRow = {
  status: Comparison['status']
  input: ComparisonInput
  progress: ComparisonProgress
  createdAtMs: number
  completedAtMs: number | null
}
