import { problem } from '@everscan/contract/problems/problem.ts'
import { inTransaction, tag, type Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import type { ComparisonInput, ComparisonProgress, ComparisonRow } from '../rows/comparison-row.ts'
import type { ImportKey } from '../rows/import-row.ts'
import { insertImportJob } from './imports.ts'

export const comparisonKind = 'comparison'

/** The job of the one comparison of a move: a new one takes the place of the last. */
const jobOf = ({ organizationId, id }: ImportKey): ImportKey => ({
  organizationId,
  id: `${id}-${comparisonKind}`,
})

const begun: ComparisonProgress = { comparedLinks: 0, sameCount: 0, differences: [], waits: 0 }

/** Starts a comparison of a move. Throws ApiError 409 CONFLICT if one is running. */
export async function startComparison(
  db: Database,
  move: ImportKey,
  { input, nowMs }: { input: ComparisonInput; nowMs: number },
): Promise<ComparisonRow> {
  const key = jobOf(move)
  await inTransaction(db, async (tx) => {
    const { numDeletedRows } = await tx.kysely
      .deleteFrom('jobs')
      .where('organization_id', '=', key.organizationId)
      .where('id', '=', key.id)
      .where('completed_at_ms', 'is not', null)
      .modifyEnd(tag('catalogue.deleteComparison'))
      .executeTakeFirst()
    if (numDeletedRows === 0n && (await readComparison(tx, move)) !== undefined)
      throw new ApiError(409, 'CONFLICT', problem('moveBeingCompared'))
    await insertImportJob(tx, key, { kind: comparisonKind, input, progress: begun, nowMs })
  })
  return { status: 'PENDING', input, progress: begun, createdAtMs: nowMs, completedAtMs: null }
}

/** Returns the last comparison of a move, or undefined if there was none. */
export async function readComparison(db: Database, move: ImportKey): Promise<ComparisonRow | undefined> {
  const key = jobOf(move)
  const row = await db.kysely
    .selectFrom('jobs')
    .select([
      'status',
      'input',
      'progress',
      'created_at_ms as createdAtMs',
      'completed_at_ms as completedAtMs',
    ])
    .where('organization_id', '=', key.organizationId)
    .where('id', '=', key.id)
    .modifyEnd(tag('catalogue.readComparison'))
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { status, input, progress, ...times } = row
  return {
    ...times,
    status: status as ComparisonRow['status'],
    input: JSON.parse(input),
    progress: JSON.parse(progress),
  }
}
