import type { Problem } from '@everscan/contract/problems/problem.ts'
import type { DropReason } from './steps.ts'

/** Counts since the start of the worker, for `/metrics` and `/readyz`. */
export type IngestStats = {
  batches: number
  /** Hits of every class. */
  rows: number
  /** Human hits. */
  scans: number
  /** Batches with an unknown outcome that was settled by counting. */
  settled: number
  dropped: Record<DropReason, number>
  /** Frames whose rows were already in the store. */
  skipped: number
  /** Results of comparing catalogue and store: see `Found`. */
  unknownHits: number
  putBackHits: number
  doubledHits: number
  lostHits: number
  /** Records put aside in `dead-letters.jsonl`. */
  deadLetters: number
  damagedBytes: number
  segmentsRemoved: number
  /** Failed attempts; each is retried. */
  failures: number
  /** Why and since when ingest is stuck; undefined while it makes progress. */
  failing: { dir: string; told: Problem; sinceMs: number } | undefined
  /** When somebody outside of private networks made a scan at PUBLIC_URL; undefined until then. */
  outsideAtMs: number | undefined
  /** The problem of a folder of another installation, which is not read. */
  refusedFolder: Problem | undefined
}

export function emptyStats(): IngestStats {
  return {
    batches: 0,
    rows: 0,
    scans: 0,
    settled: 0,
    dropped: { time: 0, ids: 0, visitor: 0 },
    skipped: 0,
    unknownHits: 0,
    putBackHits: 0,
    doubledHits: 0,
    lostHits: 0,
    deadLetters: 0,
    damagedBytes: 0,
    segmentsRemoved: 0,
    failures: 0,
    failing: undefined,
    outsideAtMs: undefined,
    refusedFolder: undefined,
  }
}
