import { normalizeTags } from '@everscan/contract/resources/tags.ts'
import type { Rule } from '@everscan/contract/rules/rules.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { isDeepStrictEqual } from 'node:util'
import { historyFields, type HistoryField } from '@everscan/contract/resources/qr-code-history.ts'
import {
  mergeMetadata,
  type QrCodeStatus,
  type UpdateMetadata,
} from '@everscan/contract/resources/qr-codes.ts'
import { mergeStyle, type Scannability, type UpdateStyle } from '@everscan/contract/resources/styles.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import type { Picture, QrCodeRow } from '../rows/qr-code-row.ts'
import { searchColumns } from './search-columns.ts'
import { searchText } from './search-text.ts'

export type QrCodeChanges = {
  name?: string | undefined
  /** Replaces all of the content. */
  data?: Record<string, unknown> | undefined
  /** Replaces all rules. */
  rules?: readonly Rule[] | undefined
  passQuery?: boolean | undefined
  /** Merged by key; null removes a key. */
  style?: UpdateStyle | undefined
  metadata?: UpdateMetadata | undefined
  /** Null removes the code from its folder. */
  folderId?: string | null | undefined
  tags?: readonly string[] | undefined
  status?: QrCodeStatus | undefined
  picture?: Picture | undefined
  scannability?: Scannability | undefined
}

/**
 * Returns a code with its changes applied. A change of any of `historyFields` makes a new version
 * of the history.
 */
export function mergeQrCode(
  before: QrCodeRow,
  changes: QrCodeChanges,
  { origin, nowMs }: { origin: ChangeOrigin; nowMs: number },
): QrCodeRow {
  const after: QrCodeRow = {
    ...before,
    name: changes.name ?? before.name,
    data: changes.data === undefined ? before.data : asStored(changes.data),
    rules: changes.rules === undefined ? before.rules : asStored([...changes.rules]),
    formerRules: changes.rules === undefined ? before.formerRules : formerRules(before, changes.rules),
    passQuery: changes.passQuery ?? before.passQuery,
    style: changes.style === undefined ? before.style : mergeStyle(before.style, changes.style),
    metadata:
      changes.metadata === undefined ? before.metadata : mergeMetadata(before.metadata, changes.metadata),
    folderId: changes.folderId === undefined ? before.folderId : changes.folderId,
    tags: changes.tags === undefined ? before.tags : normalizeTags(changes.tags),
    status: changes.status ?? before.status,
    picture: changes.picture ?? before.picture,
    scannability: changes.scannability ?? before.scannability,
    version: before.version + 1,
    // A clock that steps back must not date a change before the previous change.
    updatedAtMs: Math.max(nowMs, before.updatedAtMs),
  }
  const changed = changedFields(before, after).filter((field) => isHistoryField(field))
  if (changed.length === 0) return after
  const version = before.history.version + 1
  return {
    ...after,
    history: { version, changed, changedAtMs: after.updatedAtMs, changedBy: origin.actor },
  }
}

/**
 * Returns the last names of the rules that a code had and has no longer, without the oldest beyond
 * `limits.formerRulesMax`: ids sort by creation.
 */
function formerRules(before: QrCodeRow, rules: readonly Rule[]): QrCodeRow['formerRules'] {
  const kept = new Set(rules.map(({ id }) => id))
  const names = {
    ...before.formerRules,
    ...Object.fromEntries(before.rules.map(({ id, name }) => [id, name])),
  }
  const gone = Object.entries(names).filter(([id]) => !kept.has(id))
  return Object.fromEntries(gone.sort(([a], [b]) => (a < b ? -1 : 1)).slice(-limits.formerRulesMax))
}

/** The fields of a code that clients can change. */
const changeableFields = [...historyFields, 'folderId', 'tags', 'metadata'] as const

/** Returns the names of the fields that differ between two states of a code. */
export function changedFields(before: QrCodeRow, after: QrCodeRow): (typeof changeableFields)[number][] {
  return changeableFields.filter((field) => !isDeepStrictEqual(before[field], after[field]))
}

function isHistoryField(field: string): field is HistoryField {
  return historyFields.some((one) => one === field)
}

/** Returns the columns that a change writes. */
export function changeableColumns(row: QrCodeRow) {
  return {
    name: row.name,
    name_search: searchText(row.name),
    data: JSON.stringify(row.data),
    rules: row.rules.length === 0 ? null : JSON.stringify(row.rules),
    former_rules: Object.keys(row.formerRules).length === 0 ? null : JSON.stringify(row.formerRules),
    pass_query: row.passQuery ? 1 : 0,
    style: JSON.stringify(row.style),
    metadata: JSON.stringify(row.metadata),
    folder_id: row.folderId,
    status: row.status,
    picture_version: row.picture.version,
    picture_mask: row.picture.mask,
    scannability: row.scannability === null ? null : JSON.stringify(row.scannability),
    version: row.version,
    history_version: row.history.version,
    history_changed: row.history.changed.join(','),
    history_at_ms: row.history.changedAtMs,
    history_by: JSON.stringify(row.history.changedBy),
    updated_at_ms: row.updatedAtMs,
    ...searchColumns(row),
  }
}

/** Returns a value as it is after a round trip through JSON, which has no undefined. */
export function asStored<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value))
}
