import type { NamedProblem } from './named-problem.ts'

export type WebhookStatus = 'ENABLED' | 'DISABLED'

/** A webhook without its secrets. The problem is that of `disabledReason`. */
export type WebhookRow = NamedProblem & {
  organizationId: string
  id: string
  url: string
  /** Names of events, or `*`. */
  events: string[]
  description: string
  /** Whether scans are delivered in batches. */
  batch: boolean
  status: WebhookStatus
  disabledReason: string | null
  failuresInARow: number
  lastDeliveryAtMs: number | null
  createdAtMs: number
  updatedAtMs: number
}
