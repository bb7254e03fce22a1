import { normalizeTags } from '@everscan/contract/resources/tags.ts'
import { mergeAccess, type AccessInput } from '@everscan/contract/access/access.ts'
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
import { isSameHash, type PasswordHash } from '../rows/password-hash.ts'
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
  /** Merged by key; null removes a key, or all of them. */
  access?: Omit<AccessInput, 'password'> | null | undefined
  /** Null removes the password. */
  passwordHash?: PasswordHash | null | undefined
  /** Counts the answers for the limit from 0 again. */
  resetLimit?: boolean | undefined
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
    ...mergedAccess(before, changes),
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

/** A limit that is new, or begins anew, has a count of its own. */
function mergedAccess(
  before: QrCodeRow,
  { access: changes, passwordHash: newHash, resetLimit = false }: QrCodeChanges,
): Pick<QrCodeRow, 'access' | 'hasPassword' | 'passwordHash' | 'scanCount' | 'limitResets'> {
  const access = changes === undefined ? before.access : mergeAccess(before.access, changes)
  const passwordHash = newHash === undefined ? before.passwordHash : newHash
  const hasLimit = access?.scanLimit !== undefined
  const isNew = hasLimit && before.access?.scanLimit === undefined
  const isAnew = hasLimit && resetLimit && before.scanCount > 0
  return {
    access: access === null ? null : asStored(access),
    passwordHash,
    hasPassword: passwordHash !== null,
    scanCount: hasLimit && !isAnew ? before.scanCount : 0,
    limitResets: before.limitResets + (isNew || isAnew ? 1 : 0),
  }
}

/** The fields of a code that clients can change. */
const changeableFields = [...historyFields, 'folderId', 'tags', 'metadata', 'resetLimit'] as const

/** Returns the names of the fields that differ between two states of a code. */
export function changedFields(before: QrCodeRow, after: QrCodeRow): (typeof changeableFields)[number][] {
  return changeableFields.filter((field) => {
    if (field === 'resetLimit') return isReset(before, after)
    const isSame = isDeepStrictEqual(before[field], after[field])
    return !isSame || (field === 'access' && !isSameHash(before.passwordHash, after.passwordHash))
  })
}

/** Whether the count of a limit that stays began anew. */
function isReset(before: QrCodeRow, after: QrCodeRow): boolean {
  const had = before.access?.scanLimit !== undefined
  return had && after.access?.scanLimit !== undefined && before.limitResets !== after.limitResets
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
    ...accessColumns(row),
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

const msOf = (time: string | undefined) => (time === undefined ? null : Date.parse(time))

function accessColumns({ access, passwordHash, limitResets }: QrCodeRow) {
  return {
    access: access === null ? null : JSON.stringify(access),
    access_password: passwordHash?.text ?? null,
    starts_at_ms: msOf(access?.startsAt),
    ends_at_ms: msOf(access?.endsAt),
    limit_resets: limitResets,
  }
}

/** Returns a value as it is after a round trip through JSON, which has no undefined. */
export function asStored<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value))
}
