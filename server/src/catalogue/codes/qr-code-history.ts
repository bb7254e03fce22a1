import { historyFields, type HistoryField } from '@everscan/contract/resources/qr-code-history.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { sql } from 'kysely'
import { tag, type Database } from '../../db/database.ts'
import { insertRows, isOneOf } from '../../db/dialects/row-sets.ts'
import { fieldNames } from '../ledger/field-names.ts'
import type { QrCodeRow, VersionMark } from '../rows/qr-code-row.ts'

/** A complete version of a code. */
export type QrCodeVersionRow = VersionMark & Pick<QrCodeRow, HistoryField>

type Content = Pick<QrCodeRow, HistoryField>
/** The stored fields of a superseded version: null where the next version has the same value. */
type StoredFields = { [Field in HistoryField]: (Field extends 'passQuery' ? number : string) | null }
const unchanged: StoredFields = {
  name: null,
  data: null,
  rules: null,
  passQuery: null,
  access: null,
  style: null,
  status: null,
}

const columns = [
  'version',
  'name',
  'data',
  'rules',
  'pass_query as passQuery',
  'access',
  'style',
  'status',
  'changed',
  'changed_at_ms as changedAtMs',
  'changed_by as changedBy',
] as const

/**
 * Stores the previous state of codes whose change made a new version. Deletes the oldest versions
 * beyond `limits.historyVersionsMax`, of a code that waits at its first change afterwards. Part of
 * `recordQrCodeChanges`.
 */
export async function saveSupersededVersions(
  tx: Database,
  changes: readonly { before: QrCodeRow; after: QrCodeRow }[],
  table: 'qr_code_history' | 'waiting_qr_code_history' = 'qr_code_history',
): Promise<void> {
  const superseded = changes.filter(({ before, after }) => after.history.version > before.history.version)
  await insertRows(tx, table, {
    rows: superseded.map(({ before, after }) => {
      const { version, changed, changedAtMs, changedBy } = before.history
      const has = (field: HistoryField) => after.history.changed.includes(field)
      return {
        organization_id: before.organizationId,
        qr_code_id: before.id,
        version,
        name: has('name') ? before.name : null,
        data: has('data') ? JSON.stringify(before.data) : null,
        rules: has('rules') ? JSON.stringify(before.rules) : null,
        pass_query: has('passQuery') ? Number(before.passQuery) : null,
        access: has('access') ? JSON.stringify(before.access) : null,
        style: has('style') ? JSON.stringify(before.style) : null,
        status: has('status') ? before.status : null,
        changed: changed.join(','),
        changed_at_ms: changedAtMs,
        changed_by: JSON.stringify(changedBy),
      }
    }),
  })
  const full = superseded.filter(({ after }) => after.history.version > limits.historyVersionsMax)
  if (table === 'qr_code_history' && full.length > 0) await forgetOldVersions(tx, full)
}

/**
 * Returns a page of a code's versions, newest first, and the total. The code must have been read
 * just before.
 */
export async function listQrCodeVersions(
  db: Database,
  code: QrCodeRow,
  { page, limit }: { page: number; limit: number },
): Promise<{ rows: QrCodeVersionRow[]; total: number }> {
  const superseded = selectSuperseded(db, code)
  const { total } = await superseded
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const first = (page - 1) * limit
  // The current version comes first, from the code itself.
  const current = first === 0 ? [versionOf(code)] : []
  const stored = await superseded
    .select(columns)
    .orderBy('version', 'desc')
    .limit(limit - current.length)
    .offset(Math.max(0, first - 1))
    .modifyEnd(tag('catalogue.listQrCodeVersions'))
    .execute()
  const rows: QrCodeVersionRow[] = [...current]
  let content: Content = current[0] ?? (await contentAfter(db, code, stored[0]?.version))
  for (const row of stored) {
    content = withStored(content, row)
    rows.push({ ...markOf(row), ...content })
  }
  return { rows, total: total + 1 }
}

/**
 * Returns one version of a code that was read just before. Returns undefined if the version does
 * not exist or was deleted.
 */
export async function readQrCodeVersion(
  db: Database,
  code: QrCodeRow,
  version: number,
): Promise<QrCodeVersionRow | undefined> {
  if (version === code.history.version) return versionOf(code)
  const stored = await selectSuperseded(db, code)
    .select(columns)
    .where('version', '=', version)
    .modifyEnd(tag('catalogue.readQrCodeVersion'))
    .executeTakeFirst()
  if (stored === undefined) return undefined
  return { ...markOf(stored), ...withStored(await contentAfter(db, code, version), stored) }
}

/** History rows read per query. */
const rowsAtOnceMax = 500

/**
 * Yields every version of these codes of one organization that was superseded before they were
 * read: code by code, newest first. `table` is where they lie.
 */
export async function* eachSupersededVersion(
  db: Database,
  codes: readonly QrCodeRow[],
  table: 'qr_code_history' | 'waiting_qr_code_history' = 'qr_code_history',
): AsyncGenerator<QrCodeVersionRow & { qrCodeId: string }, void, undefined> {
  for (const group of groupsOf(codes)) {
    const states = new Map(group.map((code) => [code.id, code]))
    const stored = await db.kysely
      .selectFrom(table)
      .select(['qr_code_id as qrCodeId', ...columns])
      .where('organization_id', '=', group[0]?.organizationId ?? '')
      .where(isOneOf(db, 'qr_code_id', [...states.keys()]))
      .orderBy('qr_code_id')
      .orderBy('version', 'desc')
      .modifyEnd(tag('catalogue.eachSupersededVersion'))
      .execute()
    let content: (Content & { of: string }) | undefined
    for (const { qrCodeId, ...row } of stored) {
      const code = states.get(qrCodeId)
      if (code === undefined || row.version >= code.history.version) continue
      const after: Content = content?.of === qrCodeId ? content : code
      content = { ...withStored(after, row), of: qrCodeId }
      const { of: _, ...whole } = content
      yield { qrCodeId, ...markOf(row), ...whole }
    }
  }
}

function groupsOf(codes: readonly QrCodeRow[]): QrCodeRow[][] {
  const groups: QrCodeRow[][] = []
  let rows = Infinity
  for (const code of codes) {
    const superseded = Math.min(code.history.version - 1, limits.historyVersionsMax)
    if (superseded === 0) continue
    if (rows + superseded > rowsAtOnceMax) {
      groups.push([])
      rows = 0
    }
    groups.at(-1)?.push(code)
    rows += superseded
  }
  return groups
}

function versionOf(code: QrCodeRow): QrCodeVersionRow {
  return { ...code.history, ...contentOf(code) }
}

function contentOf({ name, data, rules, passQuery, access, style, status }: QrCodeRow): Content {
  return { name, data, rules, passQuery, access, style, status }
}

type StoredMark = Omit<VersionMark, 'changed' | 'changedBy'> & { changed: string; changedBy: string }

function markOf({ version, changed, changedAtMs, changedBy }: StoredMark): VersionMark {
  return { version, changed: fieldNames(changed), changedAtMs, changedBy: JSON.parse(changedBy) }
}

/** Selects only versions older than the code as it was read: another change may have come since. */
function selectSuperseded(db: Database, { organizationId, id, history }: QrCodeRow) {
  return db.kysely
    .selectFrom('qr_code_history')
    .where('organization_id', '=', organizationId)
    .where('qr_code_id', '=', id)
    .where('version', '<', history.version)
}

/**
 * Returns the content after a superseded version: the next stored value of each field, else the
 * value of the code.
 */
async function contentAfter(db: Database, code: QrCodeRow, version: number | undefined): Promise<Content> {
  let content = contentOf(code)
  if (version === undefined || version + 1 === code.history.version) return content
  for (const field of historyFields) {
    const column = field === 'passQuery' ? 'pass_query' : field
    const next = await selectSuperseded(db, code)
      .select(sql<string | number>`${sql.ref(column)}`.as('value'))
      .where('version', '>', version)
      .where(column, 'is not', null)
      .orderBy('version')
      .limit(1)
      .executeTakeFirst()
    if (next !== undefined) content = withStored(content, { ...unchanged, [field]: next.value })
  }
  return content
}

function withStored(
  content: Content,
  { name, data, rules, passQuery, access, style, status }: StoredFields,
): Content {
  return {
    name: name ?? content.name,
    data: data === null ? content.data : JSON.parse(data),
    rules: rules === null ? content.rules : JSON.parse(rules),
    passQuery: passQuery === null ? content.passQuery : passQuery === 1,
    access: access === null ? content.access : JSON.parse(access),
    style: style === null ? content.style : JSON.parse(style),
    status: (status as Content['status'] | null) ?? content.status,
  }
}

/** All changes must be in one organization. */
async function forgetOldVersions(tx: Database, changes: readonly { after: QrCodeRow }[]): Promise<void> {
  const [first] = changes
  if (first === undefined) return
  const ids = changes.map(({ after }) => after.id)
  await tx.kysely
    .deleteFrom('qr_code_history')
    .where('organization_id', '=', first.after.organizationId)
    .where(isOneOf(tx, 'qr_code_id', ids))
    .where((where) =>
      where(
        'version',
        '<=',
        where
          .selectFrom('qr_codes')
          .select(sql<number>`history_version - ${sql.lit(limits.historyVersionsMax)}`.as('last'))
          .whereRef('qr_codes.organization_id', '=', 'qr_code_history.organization_id')
          .whereRef('qr_codes.id', '=', 'qr_code_history.qr_code_id'),
      ),
    )
    .modifyEnd(tag('catalogue.forgetOldVersions'))
    .execute()
}
