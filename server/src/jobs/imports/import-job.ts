import { problem } from '@everscan/contract/problems/problem.ts'
import {
  discardStrayImportChunks,
  firstVisitChunk,
  readImportChunk,
  replaceImportChunk,
  type MovedRow,
  type VisitChunk,
} from '../../catalogue/imports/import-chunks.ts'
import { recordImportEnd, saveImportErrors, warningCode } from '../../catalogue/imports/imports.ts'
import type { ImportRowErrorRow } from '../../catalogue/imports/imports.ts'
import { saveMovedCodes } from '../../catalogue/imports/moved-codes.ts'
import {
  failureOf,
  type ImportInput,
  type MoveInput,
  type MoveProgress,
} from '../../catalogue/rows/import-row.ts'
import { inTransaction, type Database } from '../../db/database.ts'
import { advanceJob, endJob, holdJob, type Claim } from '../queue.ts'
import type { Chore, JobKind } from '../start-jobs.ts'
import { awayMs, commitChunk, waitWith } from './commit-chunk.ts'
import { judgeRows } from './judge-rows.ts'
import { isLeft, lookAtRows, type LookAt } from './look-at-rows.ts'
import { codesOfDryRun, draftCodes, makeCodes, type MadeCode } from './make-codes.ts'
import { moveVisits, type VisitMeans } from './move-visits.ts'
import { addToSample, shortUrlIn } from './moved-sample.ts'
import type { CodeOfRow, JudgedRow, RowMeans } from './row-presets.ts'

export type ImportOptions = Omit<RowMeans, 'clock'> & {
  /** Looks at destinations; absent: moves with `resolve` have no warnings. */
  lookAt?: LookAt
  /** How visits come into the scan store; absent: no move has any. */
  visits?: VisitMeans
  clock?: () => number
}

type Means = RowMeans & Pick<ImportOptions, 'lookAt' | 'visits'>

/** An import before a step. `before` of a file of columns has the counts of rows only. */
type Importing = { input: ImportInput | MoveInput; before: MoveProgress; means: Means }

/**
 * Returns the job kind of imports of every preset. Each step takes one chunk of rows; a chunk of
 * visits comes after all rows. The removal of the chunk, its codes, its row errors and the progress
 * of the job are committed together.
 */
export function importJobs({ clock = Date.now, ...options }: ImportOptions): JobKind {
  const importingOf = ({ input, progress }: Claim): Importing => ({
    input: JSON.parse(input),
    before: JSON.parse(progress),
    means: { ...options, clock },
  })
  return {
    step: (db, claim) => importChunk(db, claim, importingOf(claim)),
    giveUp: (db, claim) => giveUp(db, claim, importingOf(claim)),
  }
}

/** Makes codes of the next rows, or looks at their destinations first, or moves the next visits. */
async function importChunk(db: Database, claim: Claim, importing: Importing): Promise<void> {
  const { input, before, means } = importing
  const { visits, lookAt, clock } = means
  const found = await readImportChunk(db, claim)
  if (found === undefined) return endAfterVisits(db, claim, importing)
  const { chunk } = found
  if (chunk >= firstVisitChunk) {
    if (visits === undefined || input.source === undefined)
      throw new Error('there is no way of visits into the scan store')
    const step = { chunk, visits: (found.rows as VisitChunk).visits, input, before }
    return moveVisits(db, claim, { step, means: visits, clock })
  }
  const rows = found.rows as MovedRow[]
  // Before the transaction, because on SQLite no other process can write during one.
  const judged = await judgeRows(db, rows, { organizationId: claim.organizationId, input, means })
  if (input.resolve === true && lookAt !== undefined && rows.some(isLeft))
    return lookAtChunk(db, claim, { chunk, judged, lookAt, importing })
  return importRows(db, claim, { chunk, judged, importing })
}

type JudgedChunk = { chunk: number; judged: readonly JudgedRow[]; importing: Importing }

async function importRows(
  db: Database,
  claim: Claim,
  { chunk, judged, importing }: JudgedChunk,
): Promise<void> {
  const { input, before, means } = importing
  const drafts = input.dryRun ? [] : draftCodes(judged, input, means)
  const write = async (tx: Database): Promise<void> => {
    const { failed, made } = input.dryRun
      ? { failed: [], made: codesOfDryRun(judged) }
      : await makeCodes(tx, claim.organizationId, { drafts, input })
    if (input.visits !== undefined) await saveMovedCodes(tx, claim, made)
    const errors = [...judged.flatMap(({ refused }) => refused ?? []), ...failed]
    const warnings = warningsOf(judged, failed, input)
    await saveImportErrors(tx, claim, [...errors, ...warnings])
    const progress: MoveProgress = {
      ...before,
      ...(input.resolve === true && { warningCount: (before.warningCount ?? 0) + warnings.length }),
      ...sampleWith(before, input, made),
      processedRows: before.processedRows + judged.length,
      successCount: before.successCount + judged.length - errors.length,
      errorCount: before.errorCount + errors.length,
    }
    const isMore = progress.processedRows < input.totalRows || input.visits !== undefined
    if (isMore) await advanceJob(tx, claim, { progress, nowMs: means.clock() })
    else await end(tx, claim, { status: 'COMPLETED', progress, importing })
  }
  await commitChunk(db, claim, { chunk, write })
}

/** Links of a move are compared with the old service later. */
function sampleWith(
  { sample = [], successCount: earlier }: MoveProgress,
  input: ImportInput | MoveInput,
  codes: readonly MadeCode[],
): Pick<MoveProgress, 'sample'> {
  if (input.source === undefined) return {}
  const made = input.dryRun
    ? []
    : codes.map(({ row, shortCode }) => ({ shortCode, ...shortUrlIn(row, input) }))
  return { sample: addToSample(sample, { earlier, made }) }
}

/** Looks at destinations of some rows, and saves what was found with the rows. */
async function lookAtChunk(
  db: Database,
  claim: Claim,
  { chunk, judged, lookAt, importing: { before, means } }: JudgedChunk & { lookAt: LookAt },
): Promise<void> {
  const urls = new Map(judged.map(({ row, accepted }) => [row, accepted && urlIn(accepted)] as const))
  const { rows, lookedRows } = await lookAtRows([...urls.keys()], { lookAt, urlOf: (row) => urls.get(row) })
  await inTransaction(db, async (tx) => {
    await holdJob(tx, claim)
    await replaceImportChunk(tx, { ...claim, chunk }, rows)
    const progress: MoveProgress = { ...before, lookedRows: (before.lookedRows ?? 0) + lookedRows }
    await advanceJob(tx, claim, { progress, nowMs: means.clock() })
  })
}

function urlIn({ body: { data } }: CodeOfRow): string | undefined {
  const url: unknown = data['url']
  return typeof url === 'string' ? url : undefined
}

/** Returns the rows that became codes although their destinations give no page. */
function warningsOf(
  judged: readonly JudgedRow[],
  failed: readonly ImportRowErrorRow[],
  input: ImportInput | MoveInput,
): ImportRowErrorRow[] {
  if (input.source === undefined) return []
  const unmade = new Set(failed.map(({ row }) => row))
  return judged.flatMap(({ row: { row, line, cells, warning }, refused }) => {
    if (refused !== undefined || unmade.has(row) || warning === undefined || warning === null) return []
    const column = input.mapping.destination[0] ?? null
    // Rows that an earlier release looked at have a sentence only.
    const [message, details] =
      typeof warning === 'string' ? [warning, []] : [warning.message, [{ path: 'destination', ...warning }]]
    return [{ row, line, cells, column, code: warningCode, message, details }]
  })
}

/** Scans that came are due: their codes show unique scans that were counted. */
async function endAfterVisits(db: Database, claim: Claim, importing: Importing): Promise<void> {
  const {
    input: { dryRun, waits },
    before: progress,
    means: { visits, clock },
  } = importing
  const isDue = !dryRun && waits !== true && (progress.visits?.scans ?? 0) > 0
  const isCounted = !isDue || visits === undefined || (await visits.hits.countUniques(db))
  if (!isCounted) return waitWith(db, claim, { progress, nowMs: clock(), ms: awayMs })
  await inTransaction(db, async (tx) => end(tx, claim, { status: 'COMPLETED', progress, importing }))
}

async function end(
  tx: Database,
  claim: Claim,
  options: { status: 'COMPLETED' | 'FAILED'; progress: MoveProgress; importing: Importing },
): Promise<void> {
  const { status, progress, importing } = options
  const { input, means } = importing
  const nowMs = means.clock()
  await endJob(tx, claim, { status, progress, nowMs })
  const preset = input.source === undefined ? 'import' : 'move'
  await recordImportEnd(tx, claim, { preset, nowMs })
}

async function giveUp(db: Database, claim: Claim, importing: Importing): Promise<void> {
  const { input, before } = importing
  const isOfRows = before.processedRows < input.totalRows
  const why = input.source === undefined ? 'rowsNotImported' : isOfRows ? 'linksNotMoved' : 'visitsNotMoved'
  const progress = { ...before, ...failureOf(problem(why)) }
  await inTransaction(db, async (tx) => end(tx, claim, { status: 'FAILED', progress, importing }))
}

const hourMs = 3_600_000

/**
 * Deletes the rows of uploads that were cut off by the end of their process. No upload takes an
 * hour.
 */
export const deleteStrayRows: Chore = {
  name: 'deleteStrayRows',
  takesTurns: true,
  everyMs: hourMs,
  run: async (db, nowMs) => discardStrayImportChunks(db, nowMs - hourMs),
}
