import type { Actor } from '@everscan/contract/resources/actors.ts'
import type { AuditAction, AuditOrigin } from '@everscan/contract/resources/audit-log.ts'
import type { Role } from '@everscan/contract/schema/common.ts'
import type { EventName } from '@everscan/contract/resources/events.ts'
import type { QrCodeType } from '@everscan/contract/code-types/qr-code-data.ts'
import type { QrCodeStatus } from '@everscan/contract/resources/qr-codes.ts'
import type { ColumnType, Generated } from 'kysely'
import type { AccountTables } from './account-tables.ts'
import type { CopyTables } from './copy-tables.ts'
import type { IngestTables } from './ingest-tables.ts'

/**
 * The catalogue's tables, one type each, the same on SQLite and on PostgreSQL: times are milliseconds since 1970, JSON is text, flags
 * are 0 or 1. `migrations/` makes them. Every table of an organization has the key `(organization_id, id)`, and
 * points with it: the database itself refuses a row that reaches into another organization.
 */
export type Tables = AccountTables &
  CopyTables &
  IngestTables & {
    organizations: OrganizationsTable
    api_keys: ApiKeysTable
    folders: FoldersTable
    short_codes: ShortCodesTable
    styles: StylesTable
    qr_codes: QrCodesTable
    qr_code_history: QrCodeHistoryTable
    qr_code_tags: QrCodeTagsTable
    qr_code_counts: QrCodeCountsTable
    qr_code_tag_counts: QrCodeTagCountsTable
    scan_counters: ScanCountersTable
    changes: ChangesTable
    jobs: JobsTable
    import_chunks: ImportChunksTable
    import_row_errors: ImportRowErrorsTable
    idempotency_keys: IdempotencyKeysTable
    audit_log: AuditLogTable
    webhooks: WebhooksTable
    event_readers: EventReadersTable
    event_pages: EventPagesTable
    webhook_deliveries: WebhookDeliveriesTable
    migrations: MigrationsTable
  }

type OrganizationsTable = {
  id: string
  name: string
  slug: string
  /** On pages; null: not shown. */
  public_name: string | null
  /** JSON of data URI, width and height; null: not shown. */
  logo: string | null
  created_at_ms: number
  updated_at_ms: number
}

type ApiKeysTable = {
  organization_id: string
  id: string
  /** Who made it; null when the account is gone. */
  user_id: string | null
  name: string
  role: Role
  /** The first characters of the value, to tell keys apart by. */
  prefix: string
  /** SHA-256 of the value, hex. The value itself is nowhere. */
  hash: string
  created_at_ms: number
  last_used_at_ms: number | null
  expires_at_ms: number | null
  revoked_at_ms: number | null
}

type FoldersTable = {
  organization_id: string
  id: string
  parent_id: string | null
  name: string
  /** `name` folded: two folders of one parent cannot differ in letter case only. */
  name_search: string
  created_at_ms: number
  updated_at_ms: number
}

/** Every short code that was ever assigned. Rows are never deleted: a printed code is never given out twice. */
type StylesTable = {
  organization_id: string
  id: string
  name: string
  /** JSON. */
  style: string
  /** 1 for at most one of an organization. */
  is_default: 0 | 1
  created_at_ms: number
  updated_at_ms: number
}

type ShortCodesTable = {
  canonical_code: string
  /** As written by whoever chose it. */
  short_code: string
  organization_id: string
  qr_code_id: string
  created_at_ms: number
  deleted_at_ms: number | null
}

type QrCodesTable = {
  organization_id: string
  id: string
  canonical_code: string
  type: QrCodeType
  name: string
  name_search: string
  /** JSON objects. */
  data: string
  style: string
  metadata: string
  folder_id: string | null
  status: QrCodeStatus
  /** QR version and mask of the picture, kept so that the same code is drawn for ever, whatever the encoder learns. */
  picture_version: number
  picture_mask: number
  /** JSON: what came of reading the picture back; null when nobody did. */
  scannability: string | null
  /** Counts changes from 1; the ETag is made of it. */
  version: number
  /** The version of the history that the code has now, from 1. */
  history_version: Generated<number>
  /** What it changed: names of fields with commas between them. */
  history_changed: Generated<string>
  /** Null: since the creation. */
  history_at_ms: number | null
  /** JSON of Actor; null: before there was a history. */
  history_by: string | null
  created_at_ms: number
  updated_at_ms: number
}

/** Versions of codes that were superseded: see catalogue/codes/qr-code-history.ts. */
type QrCodeHistoryTable = {
  organization_id: string
  qr_code_id: string
  version: number
  /** Null: the same as in the version after this one. */
  name: string | null
  data: string | null
  style: string | null
  status: QrCodeStatus | null
  changed: string
  changed_at_ms: number
  /** JSON of Actor. */
  changed_by: string
}

type QrCodeTagsTable = {
  organization_id: string
  qr_code_id: string
  tag: string
  /** Tags come back in the order in which they were given. */
  position: number
}

/**
 * How many codes there are of each kind: the sum of `codes` over all rows of a kind. Kept by triggers of the database: see
 * migrations/0002-lists.ts.
 */
type QrCodeCountsTable = {
  organization_id: string
  type: QrCodeType
  status: QrCodeStatus
  /** Empty: in no folder. On PostgreSQL also `*`: all of them, and none. */
  folder_id: string
  codes: number
  /** Changes of codes; the sum over an organization never falls, and rises with every change of a code. */
  writes: number
  /** On PostgreSQL only: the connection whose row it is; 0 for rows that were added up. */
  writer: Generated<number>
}

type QrCodeTagCountsTable = {
  organization_id: string
  /** `*`: all of them, and none. */
  folder_id: string
  tag: string
  type: QrCodeType
  status: QrCodeStatus
  /** On PostgreSQL the sum over the writers is the number, and a row can have less than 0. */
  codes: number
  /** As in `QrCodeCountsTable`. */
  writer: Generated<number>
}

/** Apart from `qr_codes`, so that counting scans never rewrites a code. */
type ScanCountersTable = {
  organization_id: string
  qr_code_id: string
  total_scans: number
  unique_scans: number
  /** 1: scans came in whose visitors are not counted yet. */
  uniques_due: Generated<number>
  /** Of the code; the database itself keeps it, for lists. */
  readonly folder_id: Generated<string | null>
}

/** The last change of each code, for the caches of `front`: see changes.ts. */
type ChangesTable = {
  canonical_code: string
  /** SQLite: counts up by transaction. PostgreSQL: the transaction's id (xid8), which only changes.ts reads. */
  version: ColumnType<number | string, number, number>
}

type JobsTable = {
  organization_id: string
  id: string
  kind: string
  status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'CANCELLED'
  /** JSON: what the job is about, and how far it is. */
  input: string
  progress: string
  attempts: number
  run_at_ms: number
  /** Counts up at each claim: a worker that lost its lease can no longer write. */
  lease_number: number
  lease_until_ms: number | null
  created_at_ms: number
  updated_at_ms: number
  completed_at_ms: number | null
}

/** The rows of a file that wait to be imported. A chunk is deleted in the transaction that imports it. */
type ImportChunksTable = {
  organization_id: string
  /** Its job, which is made after the whole file was read. */
  job_id: string
  /** Counts from 0. */
  chunk: number
  /** JSON of ImportRow[]. */
  rows: string
  created_at_ms: number
}

type ImportRowErrorsTable = {
  organization_id: string
  job_id: string
  /** The data row, from 1. */
  row_number: number
  /** The line of the file, from 1. */
  line: number
  column_name: string | null
  code: string
  message: string
  /** JSON of string[]: the row as it was in the file. */
  cells: string
}

type IdempotencyKeysTable = {
  organization_id: string
  idempotency_key: string
  /** SHA-256 of method, path and body, hex. */
  fingerprint: string
  status: number
  /** JSON of the first answer, and of its headers. */
  body: string
  headers: string
  created_at_ms: number
}

/** Who changed what, when and from where. Rows are never changed, and deleted only with their organization. */
type AuditLogTable = {
  organization_id: string
  id: string
  action: AuditAction
  actor_kind: Actor['kind']
  actor_id: string | null
  actor_name: string
  target_id: string
  target_name: string | null
  /** Names of fields with commas between them. */
  fields: string
  via: AuditOrigin
  country: string
  user_agent: string | null
  request_id: string | null
  created_at_ms: number
}

type WebhooksTable = {
  organization_id: string
  id: string
  url: string
  /** JSON: names of events, or `*`. */
  events: string
  description: string
  /** 1: scans come together. */
  batch: 0 | 1
  status: 'ENABLED' | 'DISABLED'
  disabled_reason: string | null
  failures_in_a_row: number
  /** Sealed: see secret-box.ts. */
  secret: string
  previous_secret: string | null
  /** How long the previous secret signs as well. */
  previous_until_ms: number | null
  last_delivery_at_ms: number | null
  created_at_ms: number
  updated_at_ms: number
}

/** Organizations whose live stream was read: their events are kept for whoever comes back. */
type EventReadersTable = {
  organization_id: string
  until_ms: number
}

/** Events of one transaction and organization, up to 100: see event-pages.ts. */
type EventPagesTable = {
  organization_id: string
  id: string
  /** Of the transaction, as in `changes`; only event-pages.ts reads it. */
  version: ColumnType<number | string, number, number>
  /** JSON of StoredEvent[]. */
  events: string
  /** 1: every webhook that takes some of them has its deliveries. */
  fanned_out: 0 | 1
  created_at_ms: number
}

type WebhookDeliveriesTable = {
  organization_id: string
  id: string
  webhook_id: string
  page_id: string
  /** The events of the page that it brings: the place of the first, from 0, and how many. */
  first_event: number
  event_count: number
  event: EventName
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED'
  attempts: number
  /** When it is to be tried next. */
  run_at_ms: number
  /** Counts up at each claim, as that of a job. */
  lease_number: number
  lease_until_ms: number | null
  response_status: number | null
  response_body: string | null
  error: string | null
  duration_ms: number | null
  created_at_ms: number
  completed_at_ms: number | null
}

type MigrationsTable = {
  name: string
  applied_at_ms: number
}
