import type { Comparison } from '@everscan/contract/moves/comparisons.ts'
import type { ComparisonRow } from '../../catalogue/rows/comparison-row.ts'
import { timestamp, timestampOrNull } from './timestamps.ts'

export function comparisonRecord({
  status,
  input,
  progress,
  createdAtMs,
  completedAtMs,
}: ComparisonRow): Comparison {
  return {
    status,
    baseUrl: input.baseUrl,
    totalLinks: input.links.length,
    comparedLinks: progress.comparedLinks,
    sameCount: progress.sameCount,
    differences: progress.differences.map(({ details = [], ...link }) => ({ ...link, details })),
    createdAt: timestamp(createdAtMs),
    completedAt: timestampOrNull(completedAtMs),
    failureReason: progress.failureReason ?? null,
    problem: progress.problem ?? null,
    values: progress.values ?? null,
  }
}
