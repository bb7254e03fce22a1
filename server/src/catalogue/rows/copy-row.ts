/** What a copy holds. */
export type CopyCounts = {
  organizations: number
  codes: number
  scans: number
  /** Scans of this machine that were not counted yet when it was made. */
  frames: number
  /** What it lacks of other machines, in a sentence. */
  incomplete?: string
}

/** A copy that the schedule made, or that failed. */
export type CopyRow = {
  id: string
  /** When it was begun. */
  madeAtMs: number
  machine: string
  /** The file; while it is being made, and when that failed, its folder. */
  path: string
  bytes: number | null
  state: 'MAKING' | 'CHECKED' | 'VERIFIED' | 'FAILED'
  problem: string | null
  /** How many tries in a row have failed, this one included. */
  failures: number
  /** When the file was complete and had been read back; null: there is no such file. */
  checkedAtMs: number | null
  verifiedAtMs: number | null
  endedAtMs: number | null
  counts: CopyCounts | null
  leaseNumber: number
  leaseUntilMs: number | null
}
