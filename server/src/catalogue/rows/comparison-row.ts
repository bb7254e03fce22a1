import type { ComparedLink, Comparison } from '@everscan/contract/moves/comparisons.ts'
import type { Problem, Values } from '@everscan/contract/problems/problem.ts'
import type { MovedSample } from './import-row.ts'

/** The input of a comparison: the links, each with the old short URL to ask. */
export type ComparisonInput = {
  baseUrl: string | null
  domain: { hostname: string; codes: 'canonical' | 'exact' } | null
  links: readonly Required<MovedSample>[]
}

/** Links of comparisons of earlier releases have no details. */
export type StoredLink = Omit<ComparedLink, 'details'> & Partial<Pick<ComparedLink, 'details'>>

export type ComparisonProgress = {
  comparedLinks: number
  sameCount: number
  differences: readonly StoredLink[]
  /** How often the old service asked to wait for the next link. */
  waits: number
  failureReason?: string
  /** The problem that the reason tells. Absent in comparisons of earlier releases. */
  problem?: string
  values?: Values
}

/** Returns why a comparison failed, as its progress has it. */
export function failureOf({ message, problem, values }: Problem) {
  return { failureReason: message, problem, values }
}

/** A stored comparison. */
export type ComparisonRow = {
  status: Comparison['status']
  input: ComparisonInput
  progress: ComparisonProgress
  createdAtMs: number
  completedAtMs: number | null
}
