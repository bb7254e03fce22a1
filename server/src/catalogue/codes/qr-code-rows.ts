import { partsOfCodeKey } from '@everscan/contract/resources/short-codes.ts'
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { systemActor } from '../rows/change-origins.ts'
import { readTags } from './tags.ts'
import type { QrCodeRow } from '../rows/qr-code-row.ts'
import { fieldNames } from '../ledger/field-names.ts'
import { PasswordHash } from '../rows/password-hash.ts'

/** A row of `selectQrCodes`, before JSON is parsed and tags are added. */
export type SelectedQrCode = Omit<
  QrCodeRow,
  | 'domain'
  | 'data'
  | 'rules'
  | 'formerRules'
  | 'passQuery'
  | 'access'
  | 'hasPassword'
  | 'limitExcesses'
  | 'passwordHash'
  | 'style'
  | 'metadata'
  | 'tags'
  | 'picture'
  | 'scannability'
  | 'history'
> & {
  data: string
  rules: string | null
  formerRules: string | null
  passQuery: number
  access: string | null
  passwordHash: string | null
  limitExcesses: string | null
  style: string
  metadata: string
  scannability: string | null
  pictureVersion: number
  pictureMask: number
  historyVersion: number
  historyChanged: string
  historyAtMs: number | null
  historyBy: string | null
}

/** The columns of a code, present or in the bin. */
export const qrCodeColumns = [
  'q.organization_id as organizationId',
  'q.id',
  'q.type',
  'q.name',
  's.short_code as shortCode',
  's.canonical_code as codeKey',
  'q.domain_id as domainId',
  'q.data',
  'q.rules',
  'q.former_rules as formerRules',
  'q.pass_query as passQuery',
  'q.access',
  'q.access_password as passwordHash',
  'q.limit_resets as limitResets',
  'q.limit_excesses as limitExcesses',
  'q.scans_before as scansBefore',
  'q.style',
  'q.metadata',
  'q.status',
  'q.folder_id as folderId',
  'q.picture_version as pictureVersion',
  'q.picture_mask as pictureMask',
  'q.scannability',
  'q.version',
  'q.history_version as historyVersion',
  'q.history_changed as historyChanged',
  'q.history_at_ms as historyAtMs',
  'q.history_by as historyBy',
  'q.created_at_ms as createdAtMs',
  'q.updated_at_ms as updatedAtMs',
] as const

/** The answers that count for the limit of a code; 0 without a limit. */
const scanCount = sql<number>`coalesce((
  select l.taken
  from scan_limits as l
  where l.organization_id = q.organization_id and l.qr_code_id = q.id
), 0)`

/** Selects the codes of an organization with their counters; the caller adds conditions. */
export function selectQrCodes(db: Database, organizationId: string) {
  return db.kysely
    .selectFrom('qr_codes as q')
    .innerJoin('short_codes as s', 's.canonical_code', 'q.canonical_code')
    .innerJoin('scan_counters as c', (join) =>
      join.onRef('c.organization_id', '=', 'q.organization_id').onRef('c.qr_code_id', '=', 'q.id'),
    )
    .where('q.organization_id', '=', organizationId)
    .select([...qrCodeColumns, 'c.total_scans as totalScans', 'c.unique_scans as uniqueScans'])
    .select(scanCount.as('scanCount'))
}

/**
 * Parses selected rows and adds their tags, in the order given. All rows must be of one
 * organization.
 */
export async function completeQrCodes(
  db: Database,
  selected: readonly SelectedQrCode[],
): Promise<QrCodeRow[]> {
  const organizationId = selected[0]?.organizationId
  if (organizationId === undefined) return []
  const tags = await readTags(
    db,
    organizationId,
    selected.map((row) => row.id),
  )
  return selected.map((row) => parseQrCode(row, tags.get(row.id) ?? []))
}

/** Returns a selected row with its JSON parsed. */
export function parseQrCode(selected: SelectedQrCode, tags: string[]): QrCodeRow {
  const { pictureVersion, pictureMask, ...others } = selected
  const { historyVersion, historyChanged, historyAtMs, historyBy, ...row } = others
  return {
    ...row,
    domain: partsOfCodeKey(row.codeKey).domain,
    data: JSON.parse(row.data),
    rules: row.rules === null ? [] : JSON.parse(row.rules),
    formerRules: row.formerRules === null ? {} : JSON.parse(row.formerRules),
    passQuery: row.passQuery === 1,
    access: row.access === null ? null : JSON.parse(row.access),
    hasPassword: row.passwordHash !== null,
    passwordHash: row.passwordHash === null ? null : new PasswordHash(row.passwordHash),
    limitExcesses: JSON.parse(row.limitExcesses ?? '[]'),
    style: JSON.parse(row.style),
    metadata: JSON.parse(row.metadata),
    scannability: row.scannability === null ? null : JSON.parse(row.scannability),
    tags,
    picture: { version: pictureVersion, mask: pictureMask },
    history: {
      version: historyVersion,
      changed: fieldNames(historyChanged),
      changedAtMs: historyAtMs ?? row.createdAtMs,
      changedBy: historyBy === null ? systemActor : JSON.parse(historyBy),
    },
  }
}
