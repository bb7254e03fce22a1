import type { Actor } from '@everscan/contract/resources/actors.ts'
import type { AuditAction, AuditOrigin } from '@everscan/contract/resources/audit-log.ts'
import type { Role } from '@everscan/contract/schema/common.ts'
import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import type { QrCodeStatus } from '@everscan/contract/resources/qr-codes.ts'
import type { ColumnType, Generated } from 'kysely'
import type { AccessColumns, AccessMomentsTable, ScanLimitsTable } from './access-tables.ts'
import type { AccountTables } from './account-tables.ts'
import type { AddressTables } from './address-tables.ts'
import type { CopyTables } from './copy-tables.ts'
import type { CertificateTables } from './certificate-tables.ts'
import type { DomainTables } from './domain-tables.ts'
import type { EventTables } from './event-tables.ts'
import type { IngestTables } from './ingest-tables.ts'
import type { LimitTables } from './limit-tables.ts'
import type { MailTables } from './mail-tables.ts'
import type { MachineTables } from './machine-tables.ts'
import type { JobTables } from './job-tables.ts'
import type { ViewTables } from './view-tables.ts'

/**
 * The catalogue's tables, equal on SQLite and PostgreSQL: times are milliseconds since 1970, JSON
 * is text, flags are 0 or 1. `migrations/` creates them. Every table of an organization has the key
 * `(organization_id, id)`, by which the database rejects references to another organization.
 */
export type Tables = AccountTables &
  AddressTables &
  CopyTables &
  CertificateTables &
  DomainTables &
  EventTables &
  IngestTables &
  JobTables &
  LimitTables &
  MachineTables &
  MailTables &
  ViewTables & {
    organizations: OrganizationsTable
    api_keys: ApiKeysTable
    folders: FoldersTable
    short_codes: ShortCodesTable
    styles: StylesTable
    utm_templates: UtmTemplatesTable
    qr_codes: QrCodesTable
    qr_code_history: QrCodeHistoryTable
    binned_qr_codes: BinnedQrCodesTable
    binned_qr_code_history: QrCodeHistoryTable
    waiting_qr_codes: WaitingQrCodesTable
    waiting_qr_code_history: QrCodeHistoryTable
    waiting_hits: WaitingHitsTable
    qr_code_tags: QrCodeTagsTable
    qr_code_counts: QrCodeCountsTable
    qr_code_tag_counts: QrCodeTagCountsTable
    scan_counters: ScanCountersTable
    scan_limits: ScanLimitsTable
    access_moments: AccessMomentsTable
    changes: ChangesTable
    idempotency_keys: IdempotencyKeysTable
    audit_log: AuditLogTable
    migrations: { name: string; applied_at_ms: number }
  }

type OrganizationsTable = {
  id: string
  name: string
  slug: string
  /** Shown on pages; null if not shown. */
  public_name: string | null
  /** JSON of data URI, width and height; null if not shown. */
  logo: string | null
  /** 1: members act in it only if their account has two-factor sign-in. */
  two_factor_required: Generated<number>
  /** 1: its codes are only for phones in its own network. */
  local_only: Generated<number>
  /** JSON of the plan of made-up scans; null for an organization that is no demo. */
  demo: Generated<string | null>
  /** 1 for at most one: that of the operator, who runs the installation. */
  operator: Generated<number>
  /** Since when the operator lets it send no mails; null if it sends them. */
  mails_stopped_at_ms: Generated<number | null>
  created_at_ms: number
  updated_at_ms: number
}

type ApiKeysTable = {
  organization_id: string
  id: string
  /** The account that created the key; null after the account is deleted. */
  user_id: string | null
  name: string
  role: Role
  /** The first characters of the value, which distinguish keys. */
  prefix: string
  /** SHA-256 of the value, hex. The value itself is not stored. */
  hash: string
  created_at_ms: number
  last_used_at_ms: number | null
  expires_at_ms: number | null
  revoked_at_ms: number | null
  /** JSON of the actor that created the key; null for the actor of an older release. */
  made_by: string | null
  /** Names separated by commas; null: all that the role allows. */
  scopes: string | null
  /** In CIDR notation, separated by commas; null: everywhere. */
  networks: string | null
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

type StylesTable = {
  organization_id: string
  id: string
  name: string
  /** JSON. */
  style: string
  /** 1 for at most one style of an organization. */
  is_default: 0 | 1
  created_at_ms: number
  updated_at_ms: number
}

type UtmTemplatesTable = {
  organization_id: string
  id: string
  name: string
  source: string | null
  medium: string | null
  campaign: string | null
  term: string | null
  content: string | null
  created_at_ms: number
  updated_at_ms: number
}

/** Every short code ever assigned. Rows are never deleted: a printed code is never reused. */
type ShortCodesTable = {
  /** The key of the code: see `codeKey`. The same in the other tables. */
  canonical_code: string
  /** In the original spelling. */
  short_code: string
  organization_id: string
  qr_code_id: string
  created_at_ms: number
  deleted_at_ms: number | null
  /** The organization that may create a code with this reserved short code. */
  adopted_by: Generated<string | null>
}

type QrCodesTable = AccessColumns & {
  organization_id: string
  id: string
  canonical_code: string
  /** Null: below PUBLIC_URL. It may name a domain that was deleted. */
  domain_id: Generated<string | null>
  scans_before: Generated<number>
  type: QrCodeType
  name: string
  name_search: string
  /** JSON objects. */
  data: string
  style: string
  metadata: string
  /** JSON of Rule[]; null if the code has none. */
  rules: Generated<string | null>
  former_rules: Generated<string | null>
  /** 1: the query of a scan is added to the destination. */
  pass_query: Generated<number>
  folder_id: string | null
  status: QrCodeStatus
  /**
   * QR version and mask of the picture, stored so that the picture never changes, even if the
   * encoder does.
   */
  picture_version: number
  picture_mask: number
  /** JSON: the result of reading the picture back; null if no check was made. */
  scannability: string | null
  /** Counts changes from 1; the ETag derives from it. */
  version: number
  /** The current version in the history, from 1. */
  history_version: Generated<number>
  /** The fields that this version changed: names separated by commas. */
  history_changed: Generated<string>
  /** Null: since the creation. */
  history_at_ms: number | null
  /** JSON of Actor; null for a code from before the history existed. */
  history_by: string | null
  created_at_ms: number
  updated_at_ms: number
  /** Compared by searches, see catalogue/codes/search-columns.ts: the name, the other texts. */
  name_folded: Generated<string>
  content_folded: Generated<string>
  /** Sorts names as people do. */
  name_order: Generated<string>
  /** The version of the code that these are of; another one: they are out of date. */
  search_version: Generated<number>
}

/** Deleted codes that can be restored: see catalogue/codes/bin.ts. */
type BinnedQrCodesTable = Omit<QrCodesTable, 'history_version' | 'history_changed'> & {
  history_version: number
  history_changed: string
  /** JSON of string[]. */
  tags: string
  /** Answers that counted for the limit, at the time of the deletion. */
  scan_count: Generated<number>
  /** At the time of the deletion. */
  total_scans: number
  unique_scans: number
  deleted_at_ms: number
  /** JSON of Actor. */
  deleted_by: string
  restorable_until_ms: number
}

/** Codes that wait for the proof of their host name: see catalogue/waiting/waiting-codes.ts. */
type WaitingQrCodesTable = Omit<
  QrCodesTable,
  'history_version' | 'history_changed' | 'domain_id' | 'limit_resets' | 'pass_query' | 'scans_before'
> & {
  domain_id: string
  hostname: string
  /** In the original spelling. */
  short_code: string
  history_version: number
  history_changed: string
  pass_query: number
  scans_before: number
  limit_resets: number
  /** JSON of string[]. */
  tags: string
  scan_count: number
  /** When its short code turned out to be assigned to another code; null: it waits. */
  lost_at_ms: Generated<number | null>
}

/** Lines of an archive: see `waiting_qr_codes`. */
type WaitingHitsTable = {
  organization_id: string
  hostname: string
  job_id: string
  number: number
  /** JSON of the lines, all of one month. */
  lines: string
}

/** Superseded versions of codes: see catalogue/codes/qr-code-history.ts. */
type QrCodeHistoryTable = {
  organization_id: string
  qr_code_id: string
  version: number
  /** Null: equal to the next version. */
  name: string | null
  data: string | null
  /** JSON of Rule[]. */
  rules: string | null
  pass_query: number | null
  /** JSON of StoredAccess, or of null. */
  access: string | null
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
  /** The order in which the client set the tags. */
  position: number
}

/**
 * How many codes exist of each kind: the sum of `codes` over all rows of the kind. Maintained by
 * triggers: see migrations/versions/0002-lists.ts.
 */
type QrCodeCountsTable = {
  organization_id: string
  type: QrCodeType
  status: QrCodeStatus
  /** Empty: in no folder. On PostgreSQL also `*`: codes in any folder or none. */
  folder_id: string
  codes: number
  /**
   * Changes of codes. The sum over an organization never decreases, and increases with every change
   * of a code.
   */
  writes: number
  /** PostgreSQL only: the connection that owns the row; 0 for rows that were added up. */
  writer: Generated<number>
}

type QrCodeTagCountsTable = {
  organization_id: string
  /** `*`: codes in any folder or none. */
  folder_id: string
  tag: string
  type: QrCodeType
  status: QrCodeStatus
  /** On PostgreSQL the count is the sum over all writers, and single rows can be negative. */
  codes: number
  /** See `QrCodeCountsTable`. */
  writer: Generated<number>
}

/** Separate from `qr_codes`, so that counting scans never rewrites a code. */
type ScanCountersTable = {
  organization_id: string
  qr_code_id: string
  total_scans: number
  unique_scans: number
  /** 1: there are scans whose visitors are not counted yet. */
  uniques_due: Generated<number>
  /** When the code was restored, while its scans are yet to be counted anew; else 0. */
  restored_at_ms: Generated<number>
  /** The folder of the code. Triggers maintain it, for lists. */
  readonly folder_id: Generated<string | null>
}

/** The last change of each code or host, for the caches of `front`: see changes.ts. */
type ChangesTable = {
  canonical_code: string
  /**
   * SQLite: a counter of transactions. PostgreSQL: the transaction's id (xid8), which only
   * changes.ts reads.
   */
  version: ColumnType<number | string, number, number>
}

type IdempotencyKeysTable = {
  organization_id: string
  idempotency_key: string
  /** SHA-256 of method, path and body, hex. */
  fingerprint: string
  status: number
  /** JSON of the first response and of its headers. */
  body: string
  headers: string
  created_at_ms: number
}

/**
 * The actor, time and source of each change. Rows never change, and are deleted only with their
 * organization.
 */
type AuditLogTable = {
  organization_id: string
  id: string
  action: AuditAction
  actor_kind: Actor['kind']
  actor_id: string | null
  actor_name: string
  target_id: string
  target_name: string | null
  /** Names of fields, separated by commas. */
  fields: string
  via: AuditOrigin
  country: string
  user_agent: string | null
  request_id: string | null
  created_at_ms: number
}
