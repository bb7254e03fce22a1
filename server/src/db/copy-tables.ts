import type { Generated } from 'kysely'

/** Scheduled copies of the installation, successful and failed. */
export type CopyTables = { copies: CopiesTable }

type CopiesTable = {
  id: string
  /** When the copy started. */
  made_at_ms: number
  /** The name of the machine whose BACKUP_DIR contains the copy. */
  machine: string
  /** The file, or its folder while the copy is running or has failed. */
  path: string
  bytes: number | null
  /**
   * CHECKED: the file is complete and was read back. VERIFIED: it was also restored and compared.
   * PARTIAL: it was read back, but lacks scans.
   */
  state: 'MAKING' | 'CHECKED' | 'VERIFIED' | 'PARTIAL' | 'FAILED'
  problem: string | null
  /** The same by name, as JSON of a `Problem` with its own copy of the sentence. */
  named_problem: Generated<string | null>
  /** How many attempts in a row have failed, including this one; 0 after a success. */
  failures: number
  checked_at_ms: number | null
  verified_at_ms: number | null
  /** When the last attempt ended. */
  ended_at_ms: number | null
  /** JSON of CopyCounts. */
  counts: string | null
  /** See lease.ts. */
  lease_number: number
  /** The end of the lease of the worker on this copy; null if no worker holds it. */
  lease_until_ms: number | null
}
