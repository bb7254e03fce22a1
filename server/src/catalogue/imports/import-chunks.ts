import type { Problem } from '@everscan/contract/problems/problem.ts'
import type { MovedVisit } from '@everscan/contract/moves/moved-visits.ts'
import { tag, type Database } from '../../db/database.ts'
import type { ImportKey } from '../rows/import-row.ts'
import { discardUnbornOrganization } from './unborn-organizations.ts'

/**
 * A row of a file: its number among the data rows from 1, the line where it starts, and its cells.
 * `sameAs` is the line of an earlier row with the same short code.
 */
export type ImportRow = { row: number; line: number; cells: readonly string[]; sameAs?: number }

/**
 * A row of an export. `warning` says why its destination gives no page; null: it was looked at, and
 * gives one. An older release stored a sentence.
 */
export type MovedRow = ImportRow & { warning?: Problem | string | null }

/** Visits of a move, all of one month (UTC). */
export type VisitChunk = { visits: readonly MovedVisit[] }

/** Visits follow the links of a move, which have at most as many chunks as rows. */
export const firstVisitChunk = 1_000_000

/** Stores rows of a file, as JSON, until they are imported. */
export async function saveImportChunk(
  db: Database,
  { organizationId, id, chunk, nowMs }: ImportKey & { chunk: number; nowMs: number },
  rows: unknown,
): Promise<void> {
  await db.kysely
    .insertInto('import_chunks')
    .values({
      organization_id: organizationId,
      job_id: id,
      chunk,
      rows: JSON.stringify(rows),
      created_at_ms: nowMs,
    })
    .modifyEnd(tag('catalogue.saveImportChunk'))
    .execute()
}

/**
 * Returns the first rows that are not imported yet, as `saveImportChunk` was given them, or
 * undefined if all are imported. `from` is the first chunk that may be returned.
 */
export async function readImportChunk(
  db: Database,
  { organizationId, id }: ImportKey,
  { from = 0 }: { from?: number } = {},
): Promise<{ chunk: number; rows: unknown } | undefined> {
  const found = await db.kysely
    .selectFrom('import_chunks')
    .select(['chunk', 'rows'])
    .where('organization_id', '=', organizationId)
    .where('job_id', '=', id)
    .where('chunk', '>=', from)
    .orderBy('chunk')
    .limit(1)
    .modifyEnd(tag('catalogue.readImportChunk'))
    .executeTakeFirst()
  return found && { chunk: found.chunk, rows: JSON.parse(found.rows) }
}

/** Replaces the rows of a saved chunk. */
export async function replaceImportChunk(
  db: Database,
  { organizationId, id, chunk }: ImportKey & { chunk: number },
  rows: unknown,
): Promise<void> {
  await db.kysely
    .updateTable('import_chunks')
    .set({ rows: JSON.stringify(rows) })
    .where('organization_id', '=', organizationId)
    .where('job_id', '=', id)
    .where('chunk', '=', chunk)
    .modifyEnd(tag('catalogue.replaceImportChunk'))
    .execute()
}

/**
 * Deletes a chunk in the transaction that imports its rows, so that no row is imported twice.
 * Returns false if the chunk is gone already.
 */
export async function takeImportChunk(
  tx: Database,
  { organizationId, id, chunk }: ImportKey & { chunk: number },
): Promise<boolean> {
  const { numDeletedRows } = await tx.kysely
    .deleteFrom('import_chunks')
    .where('organization_id', '=', organizationId)
    .where('job_id', '=', id)
    .where('chunk', '=', chunk)
    .modifyEnd(tag('catalogue.takeImportChunk'))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes the remaining rows of an import that failed or was cancelled. */
export async function discardImportChunks(db: Database, { organizationId, id }: ImportKey): Promise<void> {
  await db.kysely
    .deleteFrom('import_chunks')
    .where('organization_id', '=', organizationId)
    .where('job_id', '=', id)
    .modifyEnd(tag('catalogue.discardImportChunks'))
    .execute()
}

/**
 * Deletes chunks of uploads that never became a job because the process was killed, and the
 * organizations that were created for them. Returns the number of chunks that had another owner.
 */
export async function discardStrayImportChunks(db: Database, beforeMs: number): Promise<number> {
  const owners = await db.kysely
    .selectFrom('import_chunks')
    .select('organization_id as id')
    .distinct()
    .where('created_at_ms', '<', beforeMs)
    .modifyEnd(tag('catalogue.ownersOfOldChunks'))
    .execute()
  for (const { id } of owners) await discardUnbornOrganization(db, id)
  const { numDeletedRows } = await db.kysely
    .deleteFrom('import_chunks')
    .where('created_at_ms', '<', beforeMs)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('jobs')
            .select('jobs.id')
            .whereRef('jobs.organization_id', '=', 'import_chunks.organization_id')
            .whereRef('jobs.id', '=', 'import_chunks.job_id')
            .where('jobs.status', 'in', ['PENDING', 'PROCESSING']),
        ),
      ),
    )
    .modifyEnd(tag('catalogue.discardStrayImportChunks'))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
