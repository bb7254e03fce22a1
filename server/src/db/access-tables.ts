import type { Generated } from 'kysely'

/** The counter of a code's limit: see scans/scan-limits.ts. */
export type ScanLimitsTable = {
  organization_id: string
  qr_code_id: string
  scan_limit: number
  /** Answers that count, with those that fronts hold as leases. */
  taken: number
  /** `limit_resets` of the code when the count began. */
  resets: number
  /** The size of the lease that was taken last. */
  last_grant: Generated<number>
  /** When `taken` reached the limit; null while it has not. */
  full_at_ms: number | null
  /** 1: the event was sent. */
  full_told: Generated<number>
}

/** Times to come at which a code opens or ends. */
export type AccessMomentsTable = {
  organization_id: string
  qr_code_id: string
  event: 'qr.opened' | 'qr.ended'
  at_ms: number
}
