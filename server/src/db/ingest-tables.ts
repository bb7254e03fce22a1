/** Tables of the way from the journals to the scan store, and of the installation itself. */
export type IngestTables = {
  journal_checkpoints: JournalCheckpointsTable
  ingest_intents: IngestIntentsTable
  network_shares: NetworkSharesTable
  scan_retention: ScanRetentionTable
  scan_days: ScanDaysTable
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

type ScanRetentionTable = { id: string; before_ms: number; is_done: number }

/** Hits of every class that stand in the scan store, by writer and day of the scan (UTC): what it is compared with. */
type ScanDaysTable = {
  writer: string
  /** Days since 1970. */
  day: number
  hits: number
}

/** One row: see installation.ts. */
type InstallationTable = {
  id: string
  /** Counts the times that an older catalogue was put back, or the owner adopted a part. */
  epoch: number
  /** Counts up each minute: a data directory that has seen a higher one tells an older catalogue. */
  pulse: number
  /** Of SECRET and the visitor key; null: not known yet. */
  secret_fingerprint: string | null
  visitor_key_fingerprint: string | null
  /** Id of the scan store that belongs to it; null: not known yet. */
  scan_store: string | null
  /** When `scan_days` were first counted; null: they are not complete. */
  scans_counted_at_ms: number | null
  created_at_ms: number
}

/** What the owner was told once and can read again: scans that are gone, an older catalogue, a new visitor key. */
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

/** How far a writer had recorded when its machine was last asked, or told that it lives: see journal-heads.ts. */
type JournalHeadsTable = {
  writer: string
  /** For people: which machine that is. */
  machine: string
  sequence: number
  /** Number of the last request that this answers. */
  request: number
  /** By the clock of the database. */
  beat_at_ms: number
}

/** One row: how often copies have asked. */
type JournalHeadRequestsTable = { id: string; request: number }
