import { problem } from '@everscan/contract/problems/problem.ts'
import type { NamedDetail } from '@everscan/contract/schema/named-problems.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { ImportStatus } from '@everscan/contract/resources/bulk-imports.ts'
import { inTransaction, lockName, tag, type Database } from '../../db/database.ts'
import { insertRows } from '../../db/dialects/row-sets.ts'
import { ApiError } from '../../errors.ts'
import { recordAudit } from '../ledger/audit-log.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import { recordEvents } from '../ledger/events.ts'
import { discardImportChunks, type ImportRow } from './import-chunks.ts'
import type { ImportInput, ImportJobRow, ImportKey, ImportProgress } from '../rows/import-row.ts'

/**
 * A row that did not become a code, with the column at fault (null for the whole row) and its
 * problems: in a sentence, and by name.
 */
export type ImportRowErrorRow = ImportRow & {
  column: string | null
  code: string
  message: string
  details: readonly NamedDetail[]
}

export const importKind = 'import'
export const moveKind = 'move'

/**
 * Starts the import of the chunks that were saved under this id. Throws ApiError 409 CONFLICT if
 * `limits.importsOpenMax` imports of the organization have not ended.
 */
export async function startImport(
  db: Database,
  { organizationId, id }: ImportKey,
  options: { input: ImportInput; origin: ChangeOrigin; nowMs: number },
): Promise<ImportJobRow> {
  const { origin, nowMs } = options
  const input: ImportInput = { ...options.input, origin: { ...origin, via: 'import' } }
  const progress: ImportProgress = { processedRows: 0, successCount: 0, errorCount: 0 }
  const target = { id, name: input.fileName }
  await inTransaction(db, async (tx) => {
    await lockName(tx, `imports ${organizationId}`)
    await requireRoomForImport(tx, organizationId)
    await insertImportJob(tx, { organizationId, id }, { kind: importKind, input, progress, nowMs })
    await recordAudit(tx, organizationId, [{ action: 'import.start', target, origin, nowMs }])
  })
  return { organizationId, id, status: 'PENDING', input, progress, createdAtMs: nowMs, completedAtMs: null }
}

/** Inserts the job of an import, whose rows were saved under its id. */
export async function insertImportJob(
  tx: Database,
  { organizationId, id }: ImportKey,
  { kind, input, progress, nowMs }: { kind: string; input: unknown; progress: unknown; nowMs: number },
): Promise<void> {
  await tx.kysely
    .insertInto('jobs')
    .values({
      organization_id: organizationId,
      id,
      kind,
      status: 'PENDING',
      input: JSON.stringify(input),
      progress: JSON.stringify(progress),
      attempts: 0,
      run_at_ms: nowMs,
      lease_number: 0,
      lease_until_ms: null,
      created_at_ms: nowMs,
      updated_at_ms: nowMs,
      completed_at_ms: null,
    })
    .modifyEnd(tag('catalogue.startImport'))
    .execute()
}

/**
 * Throws ApiError 409 CONFLICT if the organization has too many imports that have not ended: each
 * keeps its rows in the catalogue until then.
 */
export async function requireRoomForImport(db: Database, organizationId: string): Promise<void> {
  const { open } = await db.kysely
    .selectFrom('jobs')
    .select((select) => select.fn.countAll<number>().as('open'))
    .where('organization_id', '=', organizationId)
    .where('kind', 'in', [importKind, moveKind])
    .where('status', 'in', ['PENDING', 'PROCESSING'])
    .modifyEnd(tag('catalogue.countOpenImports'))
    .executeTakeFirstOrThrow()
  if (open < limits.importsOpenMax) return
  throw new ApiError(409, 'CONFLICT', problem('openImportsFull', { max: limits.importsOpenMax }))
}

/** Returns the import, or undefined if the organization has no such import. */
export async function readImport(db: Database, key: ImportKey): Promise<ImportJobRow | undefined> {
  const row = await selectImports(db, key.organizationId, importKind)
    .where('id', '=', key.id)
    .modifyEnd(tag('catalogue.readImport'))
    .executeTakeFirst()
  return row && importJobRow(row)
}

/** Returns a page of an organization's imports, newest first, and the total. */
export async function listImports(
  db: Database,
  organizationId: string,
  page: ImportPageQuery,
): Promise<{ rows: ImportJobRow[]; total: number }> {
  const { rows, total } = await selectImportPage(db, { organizationId, kind: importKind, ...page })
  return { rows: rows.map(importJobRow), total }
}

export type ImportPageQuery = { status?: ImportStatus | undefined; page: number; limit: number }

/** Selects a page of the imports of one kind, newest first, and counts all of them. */
export async function selectImportPage(
  db: Database,
  { organizationId, kind, status, page, limit }: ImportPageQuery & { organizationId: string; kind: string },
): Promise<{ rows: SelectedImport[]; total: number }> {
  const matching = status === undefined ? [] : [status]
  const rows = await selectImports(db, organizationId, kind)
    .$if(matching.length > 0, (query) => query.where('status', 'in', matching))
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .modifyEnd(tag('catalogue.listImports'))
    .execute()
  const { total } = await db.kysely
    .selectFrom('jobs')
    .where('organization_id', '=', organizationId)
    .where('kind', '=', kind)
    .$if(matching.length > 0, (query) => query.where('status', 'in', matching))
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { rows, total }
}

/**
 * Cancels an import: no row is imported after this. Codes created so far remain. Returns undefined
 * if the import does not exist. Throws ApiError 409 CONFLICT if the import ended in another way.
 */
export async function cancelImport(
  db: Database,
  key: ImportKey,
  { origin, nowMs }: { origin: ChangeOrigin; nowMs: number },
): Promise<ImportJobRow | undefined> {
  return inTransaction(db, async (tx) => {
    const isNew = await cancelImportJob(tx, key, { kind: importKind, nowMs })
    const job = await readImport(tx, key)
    if (job === undefined) return undefined
    await recordCancelled(tx, key, { job, isNew, origin, nowMs })
    return job
  })
}

/** Cancels the job of an import of one kind. Returns false if it had ended, or does not exist. */
export async function cancelImportJob(
  tx: Database,
  key: ImportKey,
  { kind, nowMs }: { kind: string; nowMs: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx.kysely
    .updateTable('jobs')
    .set((row) => ({
      status: 'CANCELLED',
      completed_at_ms: nowMs,
      updated_at_ms: nowMs,
      lease_until_ms: null,
      // The worker that holds the lease notices the loss and rolls its last rows back.
      lease_number: row('lease_number', '+', 1),
    }))
    .where('organization_id', '=', key.organizationId)
    .where('id', '=', key.id)
    .where('kind', '=', kind)
    .where('status', 'in', ['PENDING', 'PROCESSING'])
    .modifyEnd(tag('catalogue.cancelImport'))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Deletes the rows of a cancelled import, and records who cancelled it if it `isNew`. Throws
 * ApiError 409 CONFLICT if the import ended in another way.
 */
export async function recordCancelled(
  tx: Database,
  key: ImportKey,
  {
    job: { status, input },
    isNew,
    origin,
    nowMs,
  }: {
    job: { status: ImportStatus; input: { fileName: string | null } }
    isNew: boolean
    origin: ChangeOrigin
    nowMs: number
  },
): Promise<void> {
  if (status !== 'CANCELLED') throw new ApiError(409, 'CONFLICT', problem('importEnded', { status }))
  await discardImportChunks(tx, key)
  const target = { id: key.id, name: input.fileName }
  if (isNew) await recordAudit(tx, key.organizationId, [{ action: 'import.cancel', target, origin, nowMs }])
}

/** Records the event for the end of an import, in the transaction that ends it. */
export async function recordImportEnd(tx: Database, key: ImportKey, nowMs: number): Promise<void> {
  const job = await readImport(tx, key)
  if (job === undefined) return
  const event = job.status === 'FAILED' ? 'import.failed' : 'import.completed'
  // The event describes the outcome only: a style may contain a logo of a megabyte.
  const { look: _look, origin: _origin, repairs: _repairs, ...input } = job.input
  const data = { ...job, input: { ...input, header: [], columns: [] } }
  await recordEvents(tx, key.organizationId, { events: () => [{ event, atMs: nowMs, data }], nowMs })
}

/** Stores the rows that did not become codes. */
export async function saveImportErrors(
  tx: Database,
  { organizationId, id }: ImportKey,
  errors: readonly ImportRowErrorRow[],
): Promise<void> {
  await insertRows(tx, 'import_row_errors', {
    rows: errors.map((error) => ({
      organization_id: organizationId,
      job_id: id,
      row_number: error.row,
      line: error.line,
      column_name: error.column,
      code: error.code,
      message: error.message,
      cells: JSON.stringify(error.cells),
      details: JSON.stringify(error.details),
    })),
  })
}

/** The code of a row that became a code, with a warning. */
export const warningCode = 'DESTINATION_BROKEN'

/**
 * Returns at most `limit` rows that did not become codes, by row number, after row `after`; with
 * `warnings`, those that did with a warning.
 */
export async function readImportErrors(
  db: Database,
  { organizationId, id }: ImportKey,
  { after = 0, limit, warnings = false }: { after?: number; limit: number; warnings?: boolean },
): Promise<ImportRowErrorRow[]> {
  const rows = await db.kysely
    .selectFrom('import_row_errors')
    .select(['row_number as row', 'line', 'column_name as column', 'code', 'message', 'cells', 'details'])
    .where('organization_id', '=', organizationId)
    .where('job_id', '=', id)
    .where('row_number', '>', after)
    .where('code', warnings ? '=' : '!=', warningCode)
    .orderBy('row_number')
    .limit(limit)
    .modifyEnd(tag('catalogue.readImportErrors'))
    .execute()
  return rows.map(({ cells, details, ...row }) => ({
    ...row,
    cells: JSON.parse(cells),
    details: details === null ? [] : JSON.parse(details),
  }))
}

/** Selects the imports of one kind. */
export function selectImports(db: Database, organizationId: string, kind: string) {
  return db.kysely
    .selectFrom('jobs')
    .select([
      'organization_id as organizationId',
      'id',
      'status',
      'input',
      'progress',
      'created_at_ms as createdAtMs',
      'completed_at_ms as completedAtMs',
    ])
    .where('organization_id', '=', organizationId)
    .where('kind', '=', kind)
}

export type SelectedImport = Omit<ImportJobRow, 'input' | 'progress'> & { input: string; progress: string }

function importJobRow({ input, progress, ...row }: SelectedImport): ImportJobRow {
  return { ...row, input: JSON.parse(input), progress: JSON.parse(progress) }
}
