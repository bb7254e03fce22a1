import { moveCells, readMovedLink } from '@everscan/contract/moves/moved-links.ts'
import type { MoveField } from '@everscan/contract/moves/move-sources.ts'
import type { CreateQrCode } from '@everscan/contract/resources/qr-codes.ts'
import { codeKey } from '@everscan/contract/resources/short-codes.ts'
import { createQrCodes, draftWaitingCode, type NewQrCode } from '../../catalogue/codes/qr-codes.ts'
import { readDomain } from '../../catalogue/domains/domains.ts'
import { takenCodeKeys } from '../../catalogue/imports/archive-imports.ts'
import {
  discardImportChunks,
  firstVisitChunk,
  readImportChunk,
  replaceImportChunk,
  takeImportChunk,
  type MovedRow,
  type VisitChunk,
} from '../../catalogue/imports/import-chunks.ts'
import { forgetMovedCodes, saveMovedCodes, type MovedCode } from '../../catalogue/imports/moved-codes.ts'
import { recordMoveEnd } from '../../catalogue/imports/moves.ts'
import { saveImportErrors, warningCode, type ImportRowErrorRow } from '../../catalogue/imports/imports.ts'
import type { MovedSample, MoveInput, MoveProgress } from '../../catalogue/rows/move-row.ts'
import type { QrCodeRow } from '../../catalogue/rows/qr-code-row.ts'
import { insertWaitingCodes, waitingCodeKeys } from '../../catalogue/waiting/waiting-codes.ts'
import { inTransaction, type Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import { advanceJob, endJob, holdJob, LeaseLost, type Claim } from '../queue.ts'
import type { JobKind } from '../start-jobs.ts'
import type { ImportOptions } from './import-job.ts'
import { isLeft, lookAtRows, type LookAt } from './look-at-rows.ts'
import { moveVisits, type VisitMeans } from './move-visits.ts'
import { addToSample, shortUrlIn } from './moved-sample.ts'

/** How long a move waits while the scan store is away. */
const awayMs = 5_000

type Problem = { field: MoveField | undefined; message: string }

/** `visits`: how visits come into the scan store; absent: no move has any. */
export type MoveOptions = ImportOptions & { visits?: VisitMeans }

/** A row that may become a code, or the error of a row that may not. */
type Judged = { row: MovedRow; accepted?: NewQrCode; refused?: ImportRowErrorRow }

/**
 * Returns the job kind of moves from other products. As with imports of files, a chunk, its codes,
 * its errors and the progress are committed together: a worker may be killed at any time. Visits
 * come after all links.
 */
export function moveJobs({ check, draw, lookAt, visits, clock = Date.now }: MoveOptions): JobKind {
  async function step(db: Database, claim: Claim): Promise<void> {
    const input: MoveInput = JSON.parse(claim.input)
    const before: MoveProgress = JSON.parse(claim.progress)
    const found = await readImportChunk(db, claim)
    if (found === undefined) return endAfterVisits(db, claim, before)
    if (found.chunk >= firstVisitChunk) {
      if (visits === undefined) throw new Error('there is no way of visits into the scan store')
      const chunk = { chunk: found.chunk, visits: (found.rows as VisitChunk).visits }
      return moveVisits(db, claim, { step: { ...chunk, input, before }, means: visits, clock, awayMs })
    }
    const rows = found.rows as MovedRow[]
    if (input.resolve === true && lookAt !== undefined && rows.some(isLeft))
      return resolveRows(db, claim, { chunk: found.chunk, rows, input, lookAt, before })
    // Before the transaction, because on SQLite no other process can write during one.
    const judged = await judgeRows(db, rows, { ...input, organizationId: claim.organizationId })
    await inTransaction(db, async (tx) => {
      await holdJob(tx, claim)
      if (!(await takeImportChunk(tx, { ...claim, chunk: found.chunk }))) throw new LeaseLost('rows are gone')
      const refused = judged.flatMap((one) => one.refused ?? [])
      const { failed, made, codes } = input.dryRun
        ? { failed: [], made: [], codes: codesOfDryRun(judged, input) }
        : await (input.waits === true ? makeWaitingCodes : makeCodes)(tx, claim.organizationId, {
            judged,
            input,
          })
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
      if (isMore) await advanceJob(tx, claim, { progress, nowMs: clock() })
      else await end(tx, claim, progress)
    })
  }

  /** Scans that came are due: their codes show unique scans that were counted. */
  async function endAfterVisits(db: Database, claim: Claim, progress: MoveProgress): Promise<void> {
    const { dryRun, waits }: MoveInput = JSON.parse(claim.input)
    const isDue = !dryRun && waits !== true && (progress.visits?.scans ?? 0) > 0
    const isCounted = !isDue || visits === undefined || (await visits.hits.countUniques(db))
    if (isCounted) return inTransaction(db, async (tx) => end(tx, claim, progress))
    const nowMs = clock()
    await advanceJob(db, claim, { progress, nowMs, runAtMs: nowMs + awayMs })
  }

  async function end(tx: Database, claim: Claim, progress: MoveProgress): Promise<void> {
    const nowMs = clock()
    await endJob(tx, claim, { status: 'COMPLETED', progress, nowMs })
    await forgetMovedCodes(tx, claim)
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
      await replaceImportChunk(tx, { ...claim, chunk }, looked.rows)
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
    const keys = read.map(({ link }) => keyOf(link.shortCode))
    // On a name that the organization has not proved, it does not learn what others have there.
    const taken = await (input.waits === true
      ? waitingCodeKeys(db, organizationId, keys)
      : takenCodeKeys(db, keys, organizationId))
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
    const before: MoveProgress = JSON.parse(claim.progress)
    const input: MoveInput = JSON.parse(claim.input)
    const left = before.processedRows < input.totalRows ? 'links' : 'visits'
    const progress: MoveProgress = {
      ...before,
      failureReason: `The ${left} that are left could not be moved. The log of the service has the cause.`,
    }
    await inTransaction(db, async (tx) => {
      const nowMs = clock()
      await endJob(tx, claim, { status: 'FAILED', progress, nowMs })
      await discardImportChunks(tx, claim)
      await forgetMovedCodes(tx, claim)
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
): Promise<{ failed: ImportRowErrorRow[]; made: MovedSample[]; codes: MovedCode[] }> {
  const accepted = acceptedOf(judged)
  const outcomes = await createQrCodes(
    tx,
    organizationId,
    accepted.map(({ code }) => code),
  )
  const failed: ImportRowErrorRow[] = []
  const made: MovedSample[] = []
  const codes: MovedCode[] = []
  for (const [index, outcome] of outcomes.entries()) {
    const { row, code } = accepted[index] ?? {}
    if (row === undefined || code?.shortCode === undefined) continue
    if (!(outcome instanceof ApiError)) {
      made.push({ shortCode: code.shortCode, ...shortUrlIn(row, input) })
      codes.push({ codeKey: outcome.codeKey, qrCodeId: outcome.id })
    } else
      failed.push({
        ...rowError(row, [{ field: undefined, message: outcome.message }], input),
        code: outcome.code,
      })
  }
  return { failed, made, codes }
}

/** Stores codes on a domain that the organization claims, until it proves it. */
async function makeWaitingCodes(
  tx: Database,
  organizationId: string,
  { judged, input }: { judged: readonly Judged[]; input: MoveInput },
): ReturnType<typeof makeCodes> {
  const { id = '', hostname = '', codes: form = 'canonical' } = input.domain ?? {}
  const accepted = acceptedOf(judged)
  if ((await readDomain(tx, { organizationId, id })) === undefined) {
    const gone: Problem = { field: undefined, message: `The domain ${hostname} is gone.` }
    return { failed: accepted.map(({ row }) => rowError(row, [gone], input)), made: [], codes: [] }
  }
  const rows: QrCodeRow[] = []
  for (const { code } of accepted) rows.push(await draftWaitingCode(organizationId, code, form))
  await insertWaitingCodes(tx, rows)
  return {
    failed: [],
    made: accepted.map(({ row, code: { shortCode = '' } }) => ({ shortCode, ...shortUrlIn(row, input) })),
    codes: rows.map((row) => ({ codeKey: row.codeKey, qrCodeId: row.id })),
  }
}

function acceptedOf(judged: readonly Judged[]): { row: MovedRow; code: NewQrCode }[] {
  return judged.flatMap(({ row, accepted: code }) => (code === undefined ? [] : [{ row, code }]))
}

function codesOfDryRun(judged: readonly Judged[], { domain }: MoveInput): MovedCode[] {
  return judged.flatMap(({ accepted }) => {
    if (accepted?.shortCode === undefined) return []
    const key = { shortCode: accepted.shortCode, domain: domain?.hostname ?? '', codes: domain?.codes }
    return [{ codeKey: codeKey(key), qrCodeId: '' }]
  })
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
