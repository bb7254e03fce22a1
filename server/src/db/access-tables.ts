import type { Generated } from 'kysely'

/** The columns of a code that say when it is open, for how many, and for whom. */
export type AccessColumns = {
  /** JSON of StoredAccess; null if the code has none. */
  access: Generated<string | null>
  /** The hash of the password, a PHC string. */
  access_password: Generated<string | null>
  /** The times of `access`. */
  starts_at_ms: Generated<number | null>
  ends_at_ms: Generated<number | null>
  /** How often the count of the limit began anew. */
  limit_resets: Generated<number>
  /** JSON of StoredExcess[], oldest first; null if there are none. See scans/limit-excesses.ts. */
  limit_excesses: Generated<string | null>
}

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
