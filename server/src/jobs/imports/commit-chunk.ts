import { takeImportChunk } from '../../catalogue/imports/import-chunks.ts'
import { inTransaction, type Database } from '../../db/database.ts'
import { LeaseLost } from '../../db/lease.ts'
import { advanceJob, holdJob, type Claim } from '../queue.ts'

/** How long a job waits while the scan store is away. */
export const awayMs = 5_000

/** Writes what became of a chunk, in a transaction. */
export type Write = (tx: Database) => Promise<void>

/**
 * Removes a chunk in the transaction that writes what became of it, and that saves the progress or
 * ends the job. So a worker may be killed at any time, and every row has exactly one outcome.
 */
export async function commitChunk(
  db: Database,
  claim: Claim,
  { chunk, write }: { chunk: number; write: Write },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await holdJob(tx, claim)
    if (!(await takeImportChunk(tx, { ...claim, chunk }))) throw new LeaseLost('rows are gone')
    await write(tx)
  })
}

/** Leaves a job as it is for some time. Throws `LeaseLost`. */
export async function waitWith(
  db: Database,
  claim: Claim,
  { progress, nowMs, ms }: { progress: object; nowMs: number; ms: number },
): Promise<void> {
  await advanceJob(db, claim, { progress, nowMs, runAtMs: nowMs + ms })
}
