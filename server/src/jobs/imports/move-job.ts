import { moveCells, readMovedLink } from '@everscan/contract/moves/moved-links.ts'
import type { MoveField } from '@everscan/contract/moves/move-sources.ts'
import type { CreateQrCode } from '@everscan/contract/resources/qr-codes.ts'
import { codeKey } from '@everscan/contract/resources/short-codes.ts'
import { createQrCodes, type NewQrCode } from '../../catalogue/codes/qr-codes.ts'
import { takenCodeKeys } from '../../catalogue/imports/archive-imports.ts'
import {
  discardImportChunks,
  readImportChunk,
  takeImportChunk,
  type MovedRow,
} from '../../catalogue/imports/import-chunks.ts'
import { recordMoveEnd, replaceMoveChunk } from '../../catalogue/imports/moves.ts'
import { saveImportErrors, warningCode, type ImportRowErrorRow } from '../../catalogue/imports/imports.ts'
import type { MovedSample, MoveInput, MoveProgress } from '../../catalogue/rows/move-row.ts'
import { inTransaction, type Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import { advanceJob, endJob, holdJob, LeaseLost, type Claim } from '../queue.ts'
import type { JobKind } from '../start-jobs.ts'
import type { ImportOptions } from './import-job.ts'
import { isLeft, lookAtRows, type LookAt } from './look-at-rows.ts'
import { addToSample, shortUrlIn } from './moved-sample.ts'

type Problem = { field: MoveField | undefined; message: string }

/** A row that may become a code, or the error of a row that may not. */
type Judged = { row: MovedRow; accepted?: NewQrCode; refused?: ImportRowErrorRow }

/**
 * Returns the job kind of moves from other products. As with imports of files, a chunk, its codes,
 * its errors and the progress are committed together: a worker may be killed at any time.
 */
export function moveJobs({ check, draw, lookAt, clock = Date.now }: ImportOptions): JobKind {
  async function step(db: Database, claim: Claim): Promise<void> {
    const input: MoveInput = JSON.parse(claim.input)
    const before: MoveProgress = JSON.parse(claim.progress)
    const found = await readImportChunk(db, claim)
    if (found === undefined) return inTransaction(db, async (tx) => end(tx, claim, before))
    const rows = found.rows as MovedRow[]
    if (input.resolve === true && lookAt !== undefined && rows.some(isLeft))
      return resolveRows(db, claim, { chunk: found.chunk, rows, input, lookAt, before })
    // Before the transaction, because on SQLite no other process can write during one.
    const judged = await judgeRows(db, rows, { ...input, organizationId: claim.organizationId })
    await inTransaction(db, async (tx) => {
      await holdJob(tx, claim)
      if (!(await takeImportChunk(tx, { ...claim, chunk: found.chunk }))) throw new LeaseLost('rows are gone')
      const refused = judged.flatMap((one) => one.refused ?? [])
      const { failed, made } = input.dryRun
        ? { failed: [], made: [] }
        : await makeCodes(tx, claim.organizationId, { judged, input })
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
      if (progress.processedRows < input.totalRows) await advanceJob(tx, claim, { progress, nowMs: clock() })
      else await end(tx, claim, progress)
    })
  }

  async function end(tx: Database, claim: Claim, progress: MoveProgress): Promise<void> {
    const nowMs = clock()
    await endJob(tx, claim, { status: 'COMPLETED', progress, nowMs })
    await recordMoveEnd(tx, claim, nowMs)
  }

  /** Looks at destinations of some rows, and saves what was found with the rows. */
  async function resolveRows(
    db: Database,
    claim: Claim,
    {
      chunk,
      rows,
      input,
      lookAt: look,
      before,
    }: { chunk: number; rows: readonly MovedRow[]; input: MoveInput; lookAt: LookAt; before: MoveProgress },
  ): Promise<void> {
    const judged = await judgeRows(db, rows, { ...input, organizationId: claim.organizationId })
    const urls = new Map(judged.map(({ row, accepted }) => [row, accepted && urlIn(accepted)] as const))
    const looked = await lookAtRows(rows, { lookAt: look, urlOf: (row) => urls.get(row) })
    await inTransaction(db, async (tx) => {
      await holdJob(tx, claim)
      await replaceMoveChunk(tx, { ...claim, chunk }, looked.rows)
      const progress: MoveProgress = { ...before, lookedRows: (before.lookedRows ?? 0) + looked.lookedRows }
      await advanceJob(tx, claim, { progress, nowMs: clock() })
    })
  }

  async function judgeRows(
    db: Database,
    rows: readonly MovedRow[],
    { organizationId, ...input }: MoveInput & { organizationId: string },
  ): Promise<Judged[]> {
    const places = moveCells(input.mapping, input.header)
    const nowMs = clock()
    const read = rows.map((row) => ({ row, ...readMovedLink(places, row.cells, nowMs, input.domain?.codes) }))
    const { hostname: domain = '', codes } = input.domain ?? {}
    const keyOf = (shortCode: string) => codeKey({ shortCode, domain, codes })
    const taken = await takenCodeKeys(
      db,
      read.map(({ link }) => keyOf(link.shortCode)),
      organizationId,
    )
    return read.map(({ row, link, problems }): Judged => {
      const { shortCode, destination, title: name, tags } = link
      const body: CreateQrCode = { type: 'URL', name, data: { url: destination }, tags }
      const found: Problem[] = [...problems]
      if (row.sameAs !== undefined)
        found.push({
          field: 'shortCode',
          message: `"${shortCode}" is the same code as in line ${row.sameAs}`,
        })
      else if (shortCode !== '' && taken.has(keyOf(shortCode)))
        found.push({ field: 'shortCode', message: `"${shortCode}" is assigned here already` })
      if (found.length === 0)
        found.push(...check(body).map(({ path, message }) => ({ field: fieldOf(path), message })))
      if (found.length > 0) return { row, refused: rowError(row, found, input) }
      // `check` has tidied the body.
      const { data } = body
      return { row, accepted: newQrCode({ ...link, data, name: body.name, tags: body.tags ?? [] }, input) }
    })
  }

  function newQrCode(
    { shortCode, createdAtMs, scansBefore, ...body }: Omit<NewQrCode, 'type' | 'picture' | 'origin'>,
    { look, domain, origin }: MoveInput,
  ): NewQrCode {
    const { name, data, tags } = body
    return {
      type: 'URL',
      name,
      data,
      tags,
      shortCode,
      createdAtMs,
      scansBefore,
      domain,
      style: look.style,
      scannability: look.scannability,
      picture: draw({ shortCode: shortCode ?? '', domain: domain?.hostname ?? '' }, look.style),
      origin,
      nowMs: clock(),
    }
  }

  async function giveUp(db: Database, claim: Claim): Promise<void> {
    const progress: MoveProgress = {
      ...JSON.parse(claim.progress),
      failureReason: 'The links that are left could not be moved. The log of the service has the cause.',
    }
    await inTransaction(db, async (tx) => {
      const nowMs = clock()
      await endJob(tx, claim, { status: 'FAILED', progress, nowMs })
      await discardImportChunks(tx, claim)
      await recordMoveEnd(tx, claim, nowMs)
    })
  }

  return { step, giveUp }
}

/** Creates the codes. `failed` has the rows whose short code another code took. */
async function makeCodes(
  tx: Database,
  organizationId: string,
  { judged, input }: { judged: readonly Judged[]; input: MoveInput },
): Promise<{ failed: ImportRowErrorRow[]; made: MovedSample[] }> {
  const accepted = judged.flatMap(({ row, accepted: code }) => (code === undefined ? [] : [{ row, code }]))
  const outcomes = await createQrCodes(
    tx,
    organizationId,
    accepted.map(({ code }) => code),
  )
  const failed: ImportRowErrorRow[] = []
  const made: MovedSample[] = []
  for (const [index, outcome] of outcomes.entries()) {
    const { row, code } = accepted[index] ?? {}
    if (row === undefined || code?.shortCode === undefined) continue
    if (!(outcome instanceof ApiError)) made.push({ shortCode: code.shortCode, ...shortUrlIn(row, input) })
    else
      failed.push({
        ...rowError(row, [{ field: undefined, message: outcome.message }], input),
        code: outcome.code,
      })
  }
  return { failed, made }
}

/** Returns the rows that became codes although their destinations give no page. */
function warningsOf(
  judged: readonly Judged[],
  failed: readonly ImportRowErrorRow[],
  { mapping }: MoveInput,
): ImportRowErrorRow[] {
  const unmade = new Set(failed.map(({ row }) => row))
  return judged.flatMap(({ row: { row, line, cells, warning }, refused }) => {
    if (refused !== undefined || unmade.has(row) || warning === undefined || warning === null) return []
    const column = mapping.destination[0] ?? null
    return [{ row, line, cells, column, code: warningCode, message: warning }]
  })
}

function urlIn({ data }: NewQrCode): string | undefined {
  const url: unknown = data['url']
  return typeof url === 'string' ? url : undefined
}

/** Returns the field of the file that a part of the body comes from. */
function fieldOf(path: string): MoveField | undefined {
  if (path.startsWith('data')) return 'destination'
  if (path.startsWith('tags')) return 'tags'
  return path === 'name' ? 'title' : undefined
}

function rowError(
  { row, line, cells }: MovedRow,
  problems: readonly Problem[],
  { mapping }: MoveInput,
): ImportRowErrorRow {
  const [first] = problems
  const column = first?.field === undefined ? null : (mapping[first.field][0] ?? null)
  const message = problems
    .map(({ field, message: problem }) => (field === undefined ? problem : `${field}: ${problem}`))
    .join('; ')
  return { row, line, cells, column, code: 'VALIDATION_ERROR', message }
}
