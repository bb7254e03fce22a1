import type { Generated } from 'kysely'

/** Tables for ingest from the journals to the scan store, and for the installation itself. */
export type IngestTables = {
  journal_checkpoints: JournalCheckpointsTable
  ingest_intents: IngestIntentsTable
  network_shares: NetworkSharesTable
  scan_retention: ScanRetentionTable
  scan_days: ScanDaysTable
  scan_losses: ScanDaysTable
  scan_findings: ScanFindingsTable
  scan_segments: ScanSegmentsTable
  scan_manifest: ScanManifestTable
  installation: InstallationTable
  installation_notes: InstallationNotesTable
  journal_heads: JournalHeadsTable
  journal_head_requests: JournalHeadRequestsTable
}

type JournalCheckpointsTable = {
  writer: string
  segment: number
  byte_offset: number
  sequence: number
  updated_at_ms: number
}

type NetworkSharesTable = {
  writer: string
  scans: number
  largest: number
  updated_at_ms: number
}

type ScanRetentionTable = {
  id: string
  before_ms: number
  is_done: number
  /** All hits that were deleted so far, and those that were lost before. */
  deleted_hits: Generated<number>
}

/**
 * Hits of every class in the scan store, by writer and day of the scan (UTC), for comparison with
 * the store; `scan_losses` has those that the store lost: see scan-losses.ts.
 */
type ScanDaysTable = {
  writer: string
  /** Days since 1970. */
  day: number
  hits: number
}

/** A number that a comparison has found and that is not told yet: see scan-findings.ts. */
type ScanFindingsTable = {
  kind: string
  /** A day, an organization or a short code, as its kind says. */
  name: string
  /** The part of the scan store of which it is a count; empty for sums. */
  part: string
  hits: number
}

/** A file of scans that counts: see scan-segments.ts. */
type ScanSegmentsTable = {
  id: string
  level: number
  /** The number of its scans: `rows` is a word of SQL. */
  segment_rows: number
  bytes: number
  checksum: number
  /** The times of the first and the last scan. */
  from_ms: number
  to_ms: number
  /** JSON. */
  stretches: string
}

/** A single row, from the first change on. */
type ScanManifestTable = {
  id: string
  /** Another one after each change, never used again. */
  revision: string
  /** The revision that last changed which of the scans are unique. */
  marks: string
  /** JSON of stretches. */
  lost: string
  deleted: string
}

/** A single row: see installation.ts. */
type InstallationTable = {
  id: string
  /** Increments when an older catalogue is restored, and when the owner adopts a part. */
  epoch: number
  /**
   * Increments each minute: a data directory that has seen a higher value detects an older
   * catalogue.
   */
  pulse: number
  /** The fingerprints of SECRET and the visitor key; null if not known yet. */
  secret_fingerprint: string | null
  visitor_key_fingerprint: string | null
  /** The id of the installation's scan store; null if not known yet. */
  scan_store: string | null
  /** When `scan_days` were first counted; null while they are incomplete. */
  scans_counted_at_ms: number | null
  created_at_ms: number
  /** When this catalogue was restored; null once all its scans are counted. */
  restored_at_ms: number | null
}

/**
 * Notes that the owner got once and can read again: lost scans, an older catalogue, a new visitor
 * key.
 */
type InstallationNotesTable = {
  id: string
  kind: string
  /** JSON. */
  detail: string
  created_at_ms: number
}

type IngestIntentsTable = {
  batch_id: string
  writer: string
  /** JSON of IngestIntent. */
  intent: string
  created_at_ms: number
}

/**
 * How far a writer had recorded at the last request or report of its machine: see journal-heads.ts.
 */
type JournalHeadsTable = {
  writer: string
  /** The name of the machine, for people. */
  machine: string
  sequence: number
  /** The last request that this row answers. */
  request: number
  /** By the clock of the database. */
  beat_at_ms: number
}

/** A single row: how often copies have asked. */
type JournalHeadRequestsTable = { id: string; request: number }
