import { isDeepStrictEqual } from 'node:util'
import { historyFields } from '@everscan/contract/resources/qr-code-history.ts'
import type { UtmValues } from '@everscan/contract/utm/utm-templates.ts'
import { tag, type Database } from '../../db/database.ts'
import { insertRows, isOneOf } from '../../db/dialects/row-sets.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import type { QrCodeRow } from '../rows/qr-code-row.ts'
import type { FolderRow } from './folders.ts'
import type { QrCodeVersionRow } from './qr-code-history.ts'
import { completeQrCodes, selectQrCodes } from './qr-code-rows.ts'
import { insertQrCodeRows } from './qr-code-writes.ts'
import { recordQrCodeChanges } from './record-qr-code-changes.ts'
import type { SavedStyleRow } from './saved-styles.ts'
import { searchText } from './search-text.ts'
import type { UtmTemplateRow } from './utm-templates.ts'

// Rows of an archive keep their ids and times, and have no entries in the audit log: the one of
// the import stands for all of them.

/** Inserts folders. A parent must come before its folders, or with them. */
export async function insertArchivedFolders(tx: Database, rows: readonly FolderRow[]): Promise<void> {
  await insertRows(tx, 'folders', {
    rows: rows.map((row) => ({
      organization_id: row.organizationId,
      id: row.id,
      parent_id: row.parentId,
      name: row.name,
      name_search: searchText(row.name),
      created_at_ms: row.createdAtMs,
      updated_at_ms: row.updatedAtMs,
    })),
  })
}

export async function insertArchivedStyles(tx: Database, rows: readonly SavedStyleRow[]): Promise<void> {
  await insertRows(tx, 'styles', {
    rows: rows.map((row) => ({
      organization_id: row.organizationId,
      id: row.id,
      name: row.name,
      style: JSON.stringify(row.style),
      is_default: row.isDefault ? 1 : 0,
      created_at_ms: row.createdAtMs,
      updated_at_ms: row.updatedAtMs,
    })),
  })
}

export async function insertArchivedTemplates(tx: Database, rows: readonly UtmTemplateRow[]): Promise<void> {
  await insertRows(tx, 'utm_templates', {
    rows: rows.map(({ organizationId, id, name, createdAtMs, updatedAtMs, ...values }) => ({
      organization_id: organizationId,
      id,
      name,
      ...(values satisfies UtmValues),
      created_at_ms: createdAtMs,
      updated_at_ms: updatedAtMs,
    })),
  })
}

/** Inserts codes whose short codes were assigned to them when the import started. */
export async function insertArchivedCodes(
  tx: Database,
  organizationId: string,
  { rows, origin, nowMs }: { rows: readonly QrCodeRow[]; origin: ChangeOrigin; nowMs: number },
): Promise<void> {
  await insertQrCodeRows(tx, rows)
  await recordQrCodeChanges(
    tx,
    organizationId,
    rows.map((after) => ({ after, origin, nowMs })),
  )
}

type ArchivedVersion = QrCodeVersionRow & { qrCodeId: string }

/** Inserts older versions of codes that were inserted before: code by code, newest first. */
export async function insertArchivedVersions(
  tx: Database,
  organizationId: string,
  versions: readonly ArchivedVersion[],
  /** Ids of codes that wait for the proof of their host name. */
  waiting: { has: (id: string) => boolean },
): Promise<void> {
  const ids = [...new Set(versions.map(({ qrCodeId }) => qrCodeId))]
  const selected = await selectQrCodes(tx, organizationId)
    .where(isOneOf(tx, 'q.id', ids))
    .modifyEnd(tag('catalogue.codesOfArchivedVersions'))
    .execute()
  const codes = new Map((await completeQrCodes(tx, selected)).map((code) => [code.id, code]))
  const all = storedVersions(organizationId, versions, codes)
  await insertRows(tx, 'qr_code_history', { rows: all.filter((row) => !waiting.has(row.qr_code_id)) })
  await insertRows(tx, 'waiting_qr_code_history', { rows: all.filter((row) => waiting.has(row.qr_code_id)) })
}

function storedVersions(
  organizationId: string,
  versions: readonly ArchivedVersion[],
  codes: ReadonlyMap<string, QrCodeRow>,
) {
  return versions.map((version, index) => {
    const before = versions[index - 1]
    const code = codes.get(version.qrCodeId)
    const isNext = before?.qrCodeId === version.qrCodeId && before.version === version.version + 1
    const isLast = code?.history.version === version.version + 1
    const next = isNext ? before : isLast ? code : undefined
    // Null is the value of the next version; without one at hand, the whole version is stored.
    const stored = new Set(
      historyFields.filter((field) => next === undefined || !isDeepStrictEqual(version[field], next[field])),
    )
    const json = (field: 'data' | 'rules' | 'access' | 'style') =>
      stored.has(field) ? JSON.stringify(version[field]) : null
    return {
      organization_id: organizationId,
      qr_code_id: version.qrCodeId,
      version: version.version,
      name: stored.has('name') ? version.name : null,
      data: json('data'),
      rules: json('rules'),
      pass_query: stored.has('passQuery') ? Number(version.passQuery) : null,
      access: json('access'),
      style: json('style'),
      status: stored.has('status') ? version.status : null,
      changed: version.changed.join(','),
      changed_at_ms: version.changedAtMs,
      changed_by: JSON.stringify(version.changedBy),
    }
  })
}
