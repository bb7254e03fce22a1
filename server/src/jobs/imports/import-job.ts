import { problem, type FieldProblem } from '@everscan/contract/problems/problem.ts'
import type { ImportedQrCode } from '@everscan/contract/resources/bulk-imports.ts'
import { systemOrigin, type ChangeOrigin } from '../../catalogue/rows/change-origins.ts'
import { ensureFolders, findAndLockFolders } from '../../catalogue/codes/folders.ts'
import {
  discardImportChunks,
  discardStrayImportChunks,
  readImportChunk,
  takeImportChunk,
  type ImportRow,
} from '../../catalogue/imports/import-chunks.ts'
import { recordImportEnd, saveImportErrors, type ImportRowErrorRow } from '../../catalogue/imports/imports.ts'
import { failureOf, type ImportInput, type ImportProgress } from '../../catalogue/rows/import-row.ts'
import type { Picture } from '../../catalogue/rows/qr-code-row.ts'
import { createQrCodes, type NewQrCode } from '../../catalogue/codes/qr-codes.ts'
import { searchText } from '../../catalogue/codes/search-text.ts'
import type { Style } from '@everscan/contract/resources/styles.ts'
import { inTransaction, type Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import { createShortCode } from '../../ids.ts'
import type { LookAt } from './look-at-rows.ts'
import { judgeRows, type AcceptedRow } from './judge-rows.ts'
import { advanceJob, endJob, holdJob, LeaseLost, type Claim } from '../queue.ts'
import type { Chore, JobKind } from '../start-jobs.ts'

export type ImportOptions = {
  /** Returns every problem of the body that would create a code, in the words of the API. */
  check: (body: ImportedQrCode) => readonly FieldProblem[]
  /** Returns the picture to keep with a code. */
  draw: (code: { shortCode: string; domain: string }, style: Style) => Picture
  /** PUBLIC_URL's host name: rows name it for codes on no domain. */
  publicHost: string
  /** Looks at destinations; absent: moves with `resolve` have no warnings. */
  lookAt?: LookAt
  clock?: () => number
}

/** A row that may become a code, or the error of a row that may not. */
type Judged = { row: ImportRow; accepted?: { qrCode: NewQrCode; folder: string | undefined } } & {
  refused?: ImportRowErrorRow
}

/**
 * Returns the job kind of imports. Each step takes one chunk of rows. The removal of the chunk, its
 * codes, its row errors and the progress of the job are committed together. So a worker may be
 * killed at any time, and every row still has exactly one outcome.
 */
export function importJobs({ check, draw, publicHost, clock = Date.now }: ImportOptions): JobKind {
  const means = { check, draw, publicHost, clock }
  return {
    step: (db, claim) => importRows(db, claim, means),
    giveUp: (db, claim) => giveUp(db, claim, clock),
  }
}

type Means = Pick<ImportOptions, 'check' | 'draw' | 'publicHost'> & { clock: () => number }

async function importRows(db: Database, claim: Claim, means: Means): Promise<void> {
  const { clock } = means
  const input: ImportInput = JSON.parse(claim.input)
  const before: ImportProgress = JSON.parse(claim.progress)
  const found = await readImportChunk(db, claim)
  if (found === undefined)
    return inTransaction(db, async (tx) => end(tx, claim, { progress: before, nowMs: clock() }))
  // Before the transaction, because on SQLite no other process can write during one.
  const judged = await judgeChunk(db, found.rows as ImportRow[], { claim, input, means })
  await inTransaction(db, async (tx) => {
    await holdJob(tx, claim)
    if (!(await takeImportChunk(tx, { ...claim, chunk: found.chunk }))) throw new LeaseLost('rows are gone')
    const errors = input.dryRun
      ? refusedOf(judged)
      : await makeCodes(tx, claim.organizationId, { judged, input })
    await saveImportErrors(tx, claim, errors)
    const progress: ImportProgress = {
      processedRows: before.processedRows + judged.length,
      successCount: before.successCount + judged.length - errors.length,
      errorCount: before.errorCount + errors.length,
    }
    if (progress.processedRows < input.totalRows) await advanceJob(tx, claim, { progress, nowMs: clock() })
    else await end(tx, claim, { progress, nowMs: clock() })
  })
}

async function end(
  tx: Database,
  claim: Claim,
  { progress, nowMs }: { progress: ImportProgress; nowMs: number },
): Promise<void> {
  await endJob(tx, claim, { status: 'COMPLETED', progress, nowMs })
  await recordImportEnd(tx, claim, nowMs)
}

async function giveUp(db: Database, claim: Claim, clock: () => number): Promise<void> {
  const progress: ImportProgress = {
    ...JSON.parse(claim.progress),
    ...failureOf(problem('rowsNotImported')),
  }
  await inTransaction(db, async (tx) => {
    const nowMs = clock()
    await endJob(tx, claim, { status: 'FAILED', progress, nowMs })
    await discardImportChunks(tx, claim)
    await recordImportEnd(tx, claim, nowMs)
  })
}

async function judgeChunk(
  db: Database,
  rows: readonly ImportRow[],
  { claim: { organizationId }, input, means }: { claim: Claim; input: ImportInput; means: Means },
): Promise<Judged[]> {
  const { check, publicHost, clock } = means
  const judged = await judgeRows(db, rows, { organizationId, input, check, publicHost, nowMs: clock() })
  return judged.map(({ row, accepted, refused }) => ({
    row,
    ...(accepted !== undefined && {
      accepted: { qrCode: newQrCode(accepted, input, means), folder: accepted.folder },
    }),
    ...(refused !== undefined && { refused }),
  }))
}

/** The origin of jobs that an older release started. */
const importOrigin: ChangeOrigin = { ...systemOrigin, via: 'import' }

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

/**
 * Returns a code to create. Its picture is created now, outside of the transaction, and so is its
 * first short code if the row has none. If a random short code is taken, others are created in
 * the transaction.
 */
function newQrCode(
  { body: { type, name, data, tags, metadata, status, shortCode: chosen }, domain, createdAtMs }: AcceptedRow,
  { look, origin = importOrigin }: ImportInput,
  { draw, clock }: Means,
): NewQrCode {
  const style = look?.style ?? {}
  const shortCode = chosen ?? createShortCode()
  const drawCode = (code: string) => draw({ shortCode: code, domain: domain?.hostname ?? '' }, style)
  const picture = drawCode(shortCode)
  let drawn = false
  return {
    type,
    name,
    data,
    tags,
    metadata,
    status,
    domain,
    createdAtMs,
    style,
    scannability: look?.scannability,
    shortCode: chosen,
    createShortCode: () => {
      if (drawn) return createShortCode()
      drawn = true
      return shortCode
    },
    picture: (code) => (code === shortCode ? picture : drawCode(code)),
    origin,
    nowMs: clock(),
  }
}

/** Creates the codes and their folders. Returns the rows that did not become a code. */
async function makeCodes(
  tx: Database,
  organizationId: string,
  { judged, input: { origin = importOrigin, folderId } }: { judged: readonly Judged[]; input: ImportInput },
): Promise<ImportRowErrorRow[]> {
  const accepted = judged.flatMap(({ row, accepted: one }) => (one === undefined ? [] : [{ row, ...one }]))
  const names = new Set(accepted.flatMap(({ folder }) => folder ?? []))
  const folders = await ensureFolders(tx, organizationId, { names: [...names], origin })
  // If the folder was deleted after the import began, the codes are in no folder, like the codes
  // that were in it.
  const kept = await findAndLockFolders(tx, organizationId, folderId === undefined ? [] : [folderId])
  const otherwise = folderId !== undefined && kept.has(folderId) ? folderId : null
  const outcomes = await createQrCodes(
    tx,
    organizationId,
    accepted.map(({ qrCode, folder }) => ({
      ...qrCode,
      folderId: folder === undefined ? otherwise : (folders.get(searchText(folder)) ?? null),
    })),
  )
  const failed = outcomes.flatMap((outcome, index) => {
    const row = accepted[index]?.row
    if (row === undefined || !(outcome instanceof ApiError)) return []
    return [{ ...row, ...faultOf(outcome), code: outcome.code }]
  })
  return [...refusedOf(judged), ...failed]
}

function refusedOf(judged: readonly Judged[]): ImportRowErrorRow[] {
  return judged.flatMap(({ refused }) => refused ?? [])
}

/** The columns of the fields of a code that the catalogue itself refuses. */
const columnsOfFields: Readonly<Record<string, string>> = { shortCode: 'shortCode', domainId: 'domain' }

/** Returns the column that an error of the catalogue is about, and the message with its name. */
function faultOf({
  told,
  details: [first] = [],
}: ApiError): Omit<ImportRowErrorRow, keyof ImportRow | 'code'> {
  const column = columnsOfFields[first?.path ?? '']
  if (first === undefined || column === undefined)
    return { column: null, message: told.message, details: [{ path: '', ...told }] }
  const { message } = first
  return { column, message: `${column}: ${message}`, details: [{ ...first, path: column }] }
}
