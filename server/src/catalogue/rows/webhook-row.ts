export type WebhookStatus = 'ENABLED' | 'DISABLED'

/** A webhook without its secrets. */
export type WebhookRow = {
  organizationId: string
  id: string
  url: string
  /** Names of events, or `*`. */
  events: string[]
  description: string
  /** Scans come together. */
  batch: boolean
  status: WebhookStatus
  disabledReason: string | null
  failuresInARow: number
  lastDeliveryAtMs: number | null
  createdAtMs: number
  updatedAtMs: number
}
