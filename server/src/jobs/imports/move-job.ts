import { problem } from '@everscan/contract/problems/problem.ts'
import {
  discardImportChunks,
  firstVisitChunk,
  readImportChunk,
  replaceImportChunk,
  takeImportChunk,
  type MovedRow,
  type VisitChunk,
} from '../../catalogue/imports/import-chunks.ts'
import { saveImportErrors } from '../../catalogue/imports/imports.ts'
import { forgetMovedCodes, saveMovedCodes } from '../../catalogue/imports/moved-codes.ts'
import { recordMoveEnd } from '../../catalogue/imports/moves.ts'
import type { NewQrCode } from '../../catalogue/codes/qr-codes.ts'
import { failureOf } from '../../catalogue/rows/import-row.ts'
import type { MoveInput, MoveProgress } from '../../catalogue/rows/move-row.ts'
import { inTransaction, type Database } from '../../db/database.ts'
import { advanceJob, endJob, holdJob, LeaseLost, type Claim } from '../queue.ts'
import type { JobKind } from '../start-jobs.ts'
import type { ImportOptions } from './import-job.ts'
import { judgeLinks, type LinkMeans } from './judge-links.ts'
import { isLeft, lookAtRows, type LookAt } from './look-at-rows.ts'
import { makeMovedCodes, warningsOf } from './make-moved-codes.ts'
import { moveVisits, type VisitMeans } from './move-visits.ts'
import { addToSample } from './moved-sample.ts'

/** How long a move waits while the scan store is away. */
const awayMs = 5_000

/** `visits`: how visits come into the scan store; absent: no move has any. */
export type MoveOptions = ImportOptions & { visits?: VisitMeans }

type Means = LinkMeans & { lookAt: LookAt | undefined; visits: VisitMeans | undefined }

/** A move before a step. */
type Moving = { input: MoveInput; before: MoveProgress; means: Means }

/**
 * Returns the job kind of moves from other products. As with imports of files, a chunk, its codes,
 * its errors and the progress are committed together: a worker may be killed at any time. Visits
 * come after all links.
 */
export function moveJobs({ check, draw, lookAt, visits, clock = Date.now }: MoveOptions): JobKind {
  const means = { check, draw, lookAt, visits, clock }
  return {
    step: (db, claim) => takeChunk(db, claim, movingOf(claim, means)),
    giveUp: (db, claim) => giveUp(db, claim, movingOf(claim, means)),
  }
}

function movingOf(claim: Claim, means: Means): Moving {
  return { input: JSON.parse(claim.input), before: JSON.parse(claim.progress), means }
}

/** Moves the next links, or looks at their destinations first, or moves the next visits. */
async function takeChunk(db: Database, claim: Claim, moving: Moving): Promise<void> {
  const { input, before, means } = moving
  const { visits, lookAt, clock } = means
  const found = await readImportChunk(db, claim)
  if (found === undefined) return endAfterVisits(db, claim, moving)
  const { chunk } = found
  if (chunk >= firstVisitChunk) {
    if (visits === undefined) throw new Error('there is no way of visits into the scan store')
    const step = { chunk, visits: (found.rows as VisitChunk).visits, input, before }
    return moveVisits(db, claim, { step, means: visits, clock, awayMs })
  }
  const rows = found.rows as MovedRow[]
  if (input.resolve === true && lookAt !== undefined && rows.some(isLeft))
    return lookAtChunk(db, claim, { chunk, rows, lookAt, moving })
  return moveLinks(db, claim, { chunk, rows, moving })
}

type LinkChunk = { chunk: number; rows: readonly MovedRow[]; moving: Moving }

async function moveLinks(
  db: Database,
  claim: Claim,
  { chunk, rows, moving: { input, before, means } }: LinkChunk,
): Promise<void> {
  const { organizationId } = claim
  // Before the transaction, because on SQLite no other process can write during one.
  const judged = await judgeLinks(db, rows, { organizationId, input, means })
  await inTransaction(db, async (tx) => {
    await holdJob(tx, claim)
    if (!(await takeImportChunk(tx, { ...claim, chunk }))) throw new LeaseLost('rows are gone')
    const refused = judged.flatMap((one) => one.refused ?? [])
    const { failed, made, codes } = await makeMovedCodes(tx, organizationId, { judged, input })
    if (input.visits !== undefined) await saveMovedCodes(tx, claim, codes)
    await saveImportErrors(tx, claim, [...refused, ...failed])
    const errorCount = refused.length + failed.length
    const warnings = warningsOf(judged, failed, input)
    await saveImportErrors(tx, claim, warnings)
    const progress: MoveProgress = {
      ...before,
      ...(input.resolve === true && { warningCount: (before.warningCount ?? 0) + warnings.length }),
      sample: addToSample(before.sample ?? [], { earlier: before.successCount, made }),
      processedRows: before.processedRows + judged.length,
      successCount: before.successCount + judged.length - errorCount,
      errorCount: before.errorCount + errorCount,
    }
    const isMore = progress.processedRows < input.totalRows || input.visits !== undefined
    if (isMore) await advanceJob(tx, claim, { progress, nowMs: means.clock() })
    else await end(tx, claim, { progress, nowMs: means.clock() })
  })
}

/** Looks at destinations of some rows, and saves what was found with the rows. */
async function lookAtChunk(
  db: Database,
  claim: Claim,
  { chunk, rows, lookAt, moving: { input, before, means } }: LinkChunk & { lookAt: LookAt },
): Promise<void> {
  const judged = await judgeLinks(db, rows, { organizationId: claim.organizationId, input, means })
  const urls = new Map(judged.map(({ row, accepted }) => [row, accepted && urlIn(accepted)] as const))
  const looked = await lookAtRows(rows, { lookAt, urlOf: (row) => urls.get(row) })
  await inTransaction(db, async (tx) => {
    await holdJob(tx, claim)
    await replaceImportChunk(tx, { ...claim, chunk }, looked.rows)
    const progress: MoveProgress = { ...before, lookedRows: (before.lookedRows ?? 0) + looked.lookedRows }
    await advanceJob(tx, claim, { progress, nowMs: means.clock() })
  })
}

function urlIn({ data }: NewQrCode): string | undefined {
  const url: unknown = data['url']
  return typeof url === 'string' ? url : undefined
}

/** Scans that came are due: their codes show unique scans that were counted. */
async function endAfterVisits(
  db: Database,
  claim: Claim,
  { input: { dryRun, waits }, before: progress, means: { visits, clock } }: Moving,
): Promise<void> {
  const isDue = !dryRun && waits !== true && (progress.visits?.scans ?? 0) > 0
  const isCounted = !isDue || visits === undefined || (await visits.hits.countUniques(db))
  if (isCounted) return inTransaction(db, async (tx) => end(tx, claim, { progress, nowMs: clock() }))
  const nowMs = clock()
  await advanceJob(db, claim, { progress, nowMs, runAtMs: nowMs + awayMs })
}

async function end(
  tx: Database,
  claim: Claim,
  { progress, nowMs }: { progress: MoveProgress; nowMs: number },
): Promise<void> {
  await endJob(tx, claim, { status: 'COMPLETED', progress, nowMs })
  await forgetMovedCodes(tx, claim)
  await recordMoveEnd(tx, claim, nowMs)
}

async function giveUp(db: Database, claim: Claim, { input, before, means }: Moving): Promise<void> {
  const isOfLinks = before.processedRows < input.totalRows
  const progress: MoveProgress = {
    ...before,
    ...failureOf(problem(isOfLinks ? 'linksNotMoved' : 'visitsNotMoved')),
  }
  await inTransaction(db, async (tx) => {
    const nowMs = means.clock()
    await endJob(tx, claim, { status: 'FAILED', progress, nowMs })
    await discardImportChunks(tx, claim)
    await forgetMovedCodes(tx, claim)
    await recordMoveEnd(tx, claim, nowMs)
  })
}
