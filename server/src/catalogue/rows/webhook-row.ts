export type WebhookStatus = 'ENABLED' | 'DISABLED'

/** A webhook without its secrets. */
export type WebhookRow = {
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
