/** Copies of the installation that its schedule made, and those that failed. */
export type CopyTables = { copies: CopiesTable }

type CopiesTable = {
  id: string
  /** When it was begun. */
  made_at_ms: number
  /** Name of the machine whose BACKUP_DIR has it. */
  machine: string
  /** The file; while it is being made, and when that failed, its folder. */
  path: string
  bytes: number | null
  /** CHECKED: the file is complete and was read back. VERIFIED: it was also restored and compared. */
  state: 'MAKING' | 'CHECKED' | 'VERIFIED' | 'FAILED'
  problem: string | null
  /** How many tries in a row have failed, this one included; 0 when it did not. */
  failures: number
  checked_at_ms: number | null
  verified_at_ms: number | null
  /** When the last try at it ended. */
  ended_at_ms: number | null
  /** JSON of CopyCounts. */
  counts: string | null
  /** Counts up at each claim: whoever has an older number can no longer write. */
  lease_number: number
  /** Somebody makes or verifies it until then; null: nobody does. */
  lease_until_ms: number | null
}
