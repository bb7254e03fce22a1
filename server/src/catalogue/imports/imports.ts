import { problem } from '@everscan/contract/problems/problem.ts'
import type { NamedDetail } from '@everscan/contract/schema/named-problems.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { ImportStatus } from '@everscan/contract/resources/bulk-imports.ts'
import { forUpdate, inTransaction, lockName, tag, type Database } from '../../db/database.ts'
import { ended, leases } from '../../db/lease.ts'
import { insertRows } from '../../db/dialects/row-sets.ts'
import { noVisits } from '../../db/scans/moved-hits.ts'
import { ApiError } from '../../errors.ts'
import { recordAudit } from '../ledger/audit-log.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import { recordEvents } from '../ledger/events.ts'
import { discardImportChunks, type ImportRow } from './import-chunks.ts'
import type { ImportJobRow, ImportJobs, ImportKey, ImportPreset, MoveProgress } from '../rows/import-row.ts'
import { forgetMovedCodes } from './moved-codes.ts'

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

const presets: readonly ImportPreset[] = ['import', 'move']

type Input<Preset extends ImportPreset> = Omit<ImportJobs[Preset]['input'], 'origin'>
type ByWhom = { origin: ChangeOrigin; nowMs: number }

/**
 * Starts the import of the chunks that were saved under this id. Throws ApiError 409 CONFLICT if
 * `limits.importsOpenMax` imports of the organization have not ended.
 */
export async function startImport<Preset extends ImportPreset>(
  db: Database,
  { organizationId, id }: ImportKey,
  options: ByWhom & { preset: Preset; input: Input<Preset> },
): Promise<ImportJobs[Preset]> {
  const { preset, origin, nowMs } = options
  const input = { ...options.input, origin: { ...origin, via: 'import' } }
  const skipped = input.visits?.skipped
  const progress: MoveProgress = {
    processedRows: 0,
    successCount: 0,
    errorCount: 0,
    ...(skipped !== undefined && { visits: { ...noVisits, processed: skipped, skipped } }),
  }
  const target = { id, name: input.fileName }
  await inTransaction(db, async (tx) => {
    await lockName(tx, `imports ${organizationId}`)
    await requireRoomForImport(tx, organizationId)
    await insertImportJob(tx, { organizationId, id }, { kind: preset, input, progress, nowMs })
    await recordAudit(tx, organizationId, [{ action: 'import.start', target, origin, nowMs }])
  })
  const times = { createdAtMs: nowMs, completedAtMs: null }
  return { organizationId, id, status: 'PENDING', input, progress, ...times } as ImportJobs[Preset]
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
    .where('kind', 'in', presets)
    .where('status', 'in', ['PENDING', 'PROCESSING'])
    .modifyEnd(tag('catalogue.countOpenImports'))
    .executeTakeFirstOrThrow()
  if (open < limits.importsOpenMax) return
  throw new ApiError(409, 'CONFLICT', problem('openImportsFull', { max: limits.importsOpenMax }))
}

/** Returns the import, or undefined if the organization has no such import of the preset. */
export async function readImport<Preset extends ImportPreset>(
  db: Database,
  { organizationId, id }: ImportKey,
  preset: Preset,
): Promise<ImportJobs[Preset] | undefined> {
  const row = await selectImports(db, organizationId, preset)
    .where('id', '=', id)
    .modifyEnd(tag('catalogue.readImport'))
    .executeTakeFirst()
  return row && parseImport(row, preset)
}

/** Returns the status of an import, which stays as it is until the end of the transaction. */
export async function readImportStatus(
  tx: Database,
  { organizationId, id }: ImportKey,
  preset: ImportPreset,
): Promise<ImportStatus | undefined> {
  const row = await selectImports(tx, organizationId, preset)
    .where('id', '=', id)
    .modifyEnd(forUpdate(tx))
    .executeTakeFirst()
  return row?.status
}

/** Returns a page of an organization's imports of a preset, newest first, and the total. */
export async function listImports<Preset extends ImportPreset>(
  db: Database,
  organizationId: string,
  options: { preset: Preset; status?: ImportStatus | undefined; page: number; limit: number },
): Promise<{ rows: ImportJobs[Preset][]; total: number }> {
  const { preset, status, page, limit } = options
  const matching = status === undefined ? [] : [status]
  const rows = await selectImports(db, organizationId, preset)
    .$if(matching.length > 0, (query) => query.where('status', 'in', matching))
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .modifyEnd(tag('catalogue.listImports'))
    .execute()
  const { total } = await db.kysely
    .selectFrom('jobs')
    .where('organization_id', '=', organizationId)
    .where('kind', '=', preset)
    .$if(matching.length > 0, (query) => query.where('status', 'in', matching))
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { rows: rows.map((row) => parseImport(row, preset)), total }
}

/**
 * Cancels an import: no row is imported after this. Codes created so far remain. Returns undefined
 * if the import does not exist. Throws ApiError 409 CONFLICT if the import ended in another way.
 */
export async function cancelImport<Preset extends ImportPreset>(
  db: Database,
  key: ImportKey,
  { preset, origin, nowMs }: ByWhom & { preset: Preset },
): Promise<ImportJobs[Preset] | undefined> {
  return inTransaction(db, async (tx) => {
    const isNew = await cancelJob(tx, key, { kind: preset, nowMs })
    const job = await readImport(tx, key, preset)
    if (job === undefined) return undefined
    const { status, input } = job
    if (status !== 'CANCELLED') throw new ApiError(409, 'CONFLICT', problem('importEnded', { status }))
    await discardImportRest(tx, key)
    const target = { id: key.id, name: input.fileName }
    if (isNew) await recordAudit(tx, key.organizationId, [{ action: 'import.cancel', target, origin, nowMs }])
    return job
  })
}

/** Cancels a job. Returns false if it had ended, or does not exist. */
async function cancelJob(
  tx: Database,
  key: ImportKey,
  { kind, nowMs }: { kind: string; nowMs: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx.kysely
    .updateTable('jobs')
    .set({
      status: 'CANCELLED',
      completed_at_ms: nowMs,
      updated_at_ms: nowMs,
      // The worker that holds the lease notices the loss and rolls its last rows back.
      ...ended(leases.job),
    })
    .where('organization_id', '=', key.organizationId)
    .where('id', '=', key.id)
    .where('kind', '=', kind)
    .where('status', 'in', ['PENDING', 'PROCESSING'])
    .modifyEnd(tag('catalogue.cancelImport'))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Deletes what an import that ended leaves in the catalogue, and records the event for its end, in
 * the transaction that ends it.
 */
export async function recordImportEnd(
  tx: Database,
  key: ImportKey,
  { preset, nowMs }: { preset: ImportPreset; nowMs: number },
): Promise<void> {
  await discardImportRest(tx, key)
  const job = await readImport(tx, key, preset)
  if (job === undefined) return
  const events = () => [{ ...eventOf(job), atMs: nowMs }]
  await recordEvents(tx, key.organizationId, { events, nowMs })
}

// It describes the outcome only: a style may contain a logo of a megabyte.
function eventOf({ input, progress, ...job }: ImportJobs[ImportPreset]) {
  const end = job.status === 'FAILED' ? 'failed' : 'completed'
  if (input.source === undefined) {
    const { look: _look, origin: _origin, repairs: _repairs, ...outcome } = input
    const data = { ...job, progress, input: { ...outcome, header: [], columns: [] } }
    return { event: `import.${end}`, data } as const
  }
  const { sample: _sample, ...counts }: MoveProgress = progress
  const { source, dryRun, fileName, totalRows, resolve = false, domain, visits } = input
  const outcome = {
    source,
    dryRun,
    fileName,
    totalRows,
    resolve,
    ...(domain !== undefined && { domain }),
    ...(visits !== undefined && { visits: { ...visits, problems: [] } }),
  }
  return { event: `move.${end}`, data: { ...job, progress: counts, input: outcome } } as const
}

async function discardImportRest(tx: Database, key: ImportKey): Promise<void> {
  await discardImportChunks(tx, key)
  await forgetMovedCodes(tx, key)
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

type SelectedImport = Omit<ImportJobRow, 'input' | 'progress'> & { input: string; progress: string }

function parseImport<Preset extends ImportPreset>(
  { input, progress, ...row }: SelectedImport,
  _preset: Preset,
): ImportJobs[Preset] {
  return { ...row, input: JSON.parse(input), progress: JSON.parse(progress) } as ImportJobs[Preset]
}
