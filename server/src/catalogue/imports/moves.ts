import { forUpdate, inTransaction, lockName, tag, type Database } from '../../db/database.ts'
import { recordAudit } from '../ledger/audit-log.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import type { ImportKey } from '../rows/import-row.ts'
import type { MoveInput, MoveProgress, MoveRow } from '../rows/move-row.ts'
import { noVisits } from '../../db/scans/moved-hits.ts'
import { recordEvents } from '../ledger/events.ts'
import { forgetMovedCodes } from './moved-codes.ts'
import {
  cancelImportJob,
  insertImportJob,
  moveKind,
  recordCancelled,
  requireRoomForImport,
  selectImportPage,
  selectImports,
  type ImportPageQuery,
  type SelectedImport,
} from './imports.ts'

/**
 * Starts the move of the links that were saved under this id. Throws ApiError 409 CONFLICT if
 * `limits.importsOpenMax` imports of the organization have not ended.
 */
export async function startMove(
  db: Database,
  key: ImportKey,
  options: { input: Omit<MoveInput, 'origin'>; origin: ChangeOrigin; nowMs: number },
): Promise<MoveRow> {
  const { origin, nowMs } = options
  const input: MoveInput = { ...options.input, origin: { ...origin, via: 'import' } }
  const skipped = input.visits?.skipped
  const progress: MoveProgress = {
    processedRows: 0,
    successCount: 0,
    errorCount: 0,
    ...(skipped !== undefined && { visits: { ...noVisits, processed: skipped, skipped } }),
  }
  const target = { id: key.id, name: input.fileName }
  await inTransaction(db, async (tx) => {
    await lockName(tx, `imports ${key.organizationId}`)
    await requireRoomForImport(tx, key.organizationId)
    await insertImportJob(tx, key, { kind: moveKind, input, progress, nowMs })
    await recordAudit(tx, key.organizationId, [{ action: 'import.start', target, origin, nowMs }])
  })
  const { organizationId, id } = key
  return { organizationId, id, status: 'PENDING', input, progress, createdAtMs: nowMs, completedAtMs: null }
}

/** Returns the move, or undefined if the organization has no such move. */
export async function readMove(
  db: Database,
  { organizationId, id }: ImportKey,
): Promise<MoveRow | undefined> {
  const row = await selectImports(db, organizationId, moveKind)
    .where('id', '=', id)
    .modifyEnd(tag('catalogue.readMove'))
    .executeTakeFirst()
  return row && moveRow(row)
}

/** Returns the status of a move, which stays as it is until the end of the transaction. */
export async function readMoveStatus(
  tx: Database,
  { organizationId, id }: ImportKey,
): Promise<MoveRow['status'] | undefined> {
  const row = await selectImports(tx, organizationId, moveKind)
    .where('id', '=', id)
    .modifyEnd(forUpdate(tx))
    .executeTakeFirst()
  return row?.status
}

/** Returns a page of an organization's moves, newest first, and the total. */
export async function listMoves(
  db: Database,
  organizationId: string,
  page: ImportPageQuery,
): Promise<{ rows: MoveRow[]; total: number }> {
  const { rows, total } = await selectImportPage(db, { organizationId, kind: moveKind, ...page })
  return { rows: rows.map(moveRow), total }
}

/**
 * Cancels a move: no link comes after this. Codes created so far remain. Returns undefined if the
 * move does not exist. Throws ApiError 409 CONFLICT if it ended in another way.
 */
export async function cancelMove(
  db: Database,
  key: ImportKey,
  { origin, nowMs }: { origin: ChangeOrigin; nowMs: number },
): Promise<MoveRow | undefined> {
  return inTransaction(db, async (tx) => {
    const isNew = await cancelImportJob(tx, key, { kind: moveKind, nowMs })
    const job = await readMove(tx, key)
    if (job === undefined) return undefined
    await recordCancelled(tx, key, { job, isNew, origin, nowMs })
    await forgetMovedCodes(tx, key)
    return job
  })
}

/** Records the event for the end of a move, in the transaction that ends it. */
export async function recordMoveEnd(tx: Database, key: ImportKey, nowMs: number): Promise<void> {
  const job = await readMove(tx, key)
  if (job === undefined) return
  const event = job.status === 'FAILED' ? 'move.failed' : 'move.completed'
  // The event describes the outcome only.
  const { sample: _sample, ...progress } = job.progress
  const { source, dryRun, fileName, totalRows, resolve = false, domain, visits } = job.input
  const input = {
    source,
    dryRun,
    fileName,
    totalRows,
    resolve,
    ...(domain !== undefined && { domain }),
    ...(visits !== undefined && { visits: { ...visits, problems: [] } }),
  }
  const data = { ...job, input, progress }
  await recordEvents(tx, key.organizationId, { events: () => [{ event, atMs: nowMs, data }], nowMs })
}

function moveRow({ input, progress, ...row }: SelectedImport): MoveRow {
  return { ...row, input: JSON.parse(input), progress: JSON.parse(progress) }
}
