import type { DropReason } from './steps.ts'

/** What the worker ingested since it started, for `/metrics` and `/readyz`. */
export type IngestStats = {
  batches: number
  /** Hits of every class. */
  rows: number
  /** The human ones. */
  scans: number
  /** Batches whose outcome was not known and was found out by counting. */
  settled: number
  dropped: Record<DropReason, number>
  /** Frames whose rows were in the store already. */
  passedOver: number
  /** What comparisons of catalogue and store found: see `Found`. */
  unknownHits: number
  putBackHits: number
  doubledHits: number
  lostHits: number
  /** Records put aside in `dead-letters.jsonl`. */
  deadLetters: number
  damagedBytes: number
  segmentsRemoved: number
  /** Tries that failed; they are made again. */
  failures: number
  /** Why, and since when, ingest stands still; undefined while it goes on. */
  failing: { dir: string; problem: string; sinceMs: number } | undefined
  /** What to do about a folder of another installation, which is not read. */
  refusedFolder: string | undefined
}

export function emptyStats(): IngestStats {
  return {
    batches: 0,
    rows: 0,
    scans: 0,
    settled: 0,
    dropped: { time: 0, ids: 0, visitor: 0 },
    passedOver: 0,
    unknownHits: 0,
    putBackHits: 0,
    doubledHits: 0,
    lostHits: 0,
    deadLetters: 0,
    damagedBytes: 0,
    segmentsRemoved: 0,
    failures: 0,
    failing: undefined,
    refusedFolder: undefined,
  }
}
