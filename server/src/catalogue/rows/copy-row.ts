import type { Problem } from '@everscan/contract/problems/problem.ts'

/** The contents of a copy. */
export type CopyCounts = {
  organizations: number
  codes: number
  scans: number
  /** Scans of this machine that were not ingested yet when the copy was created. */
  frames: number
  /** It has `hits` fewer hits than the copy before, which has this name. */
  fewerHits?: { hits: number; before: string }
}

/** A scheduled copy, successful or failed. */
export type CopyRow = {
  id: string
  /** When the copy started. */
  madeAtMs: number
  machine: string
  /** The file, or its folder while the copy is running or has failed. */
  path: string
  bytes: number | null
  state: 'MAKING' | 'CHECKED' | 'VERIFIED' | 'PARTIAL' | 'FAILED'
  problem: string | null
  /** The same by name; absent if an earlier release stored it. */
  found?: Problem | undefined
  /** How many attempts in a row have failed, including this one. */
  failures: number
  /** When the file was complete and had been read back; null if no such file exists. */
  checkedAtMs: number | null
  verifiedAtMs: number | null
  endedAtMs: number | null
  counts: CopyCounts | null
  leaseNumber: number
  leaseUntilMs: number | null
}
