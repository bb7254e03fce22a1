import { createHash } from 'node:crypto'
import { moveCells, readMovedLink } from '@everscan/contract/moves/moved-links.ts'
import { mapMoveColumns, mappingProblems, type MoveMapping } from '@everscan/contract/moves/move-sources.ts'
import { ChosenMoveColumns, StartMoveFields, type MovePreviewLink } from '@everscan/contract/moves/moves.ts'
import { codeKey } from '@everscan/contract/resources/short-codes.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { FastifyRequest } from 'fastify'
import {
  noSuchDomain,
  readDefaultDomain,
  readDomain,
  type CodeDomain,
} from '../../catalogue/domains/domains.ts'
import {
  discardImportChunks,
  readImportChunk,
  saveImportChunk,
  type MovedRow,
} from '../../catalogue/imports/import-chunks.ts'
import { requireRoomForImport } from '../../catalogue/imports/imports.ts'
import { replaceMoveChunk } from '../../catalogue/imports/moves.ts'
import type { ImportKey } from '../../catalogue/rows/import-row.ts'
import type { MoveInput } from '../../catalogue/rows/move-row.ts'
import type { Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import { createId } from '../../ids.ts'
import { timestampOrNull } from '../../records/timestamps.ts'
import type { ApiContext } from '../http/api-context.ts'
import { decodeText } from '../http/bodies/decode-text.ts'
import { receiveForm, type FormFile } from '../http/bodies/forms.ts'
import type { Caller } from '../http/callers.ts'
import { validationError } from '../http/request-errors.ts'
import { validatorOf } from '../http/validation.ts'
import { fileNameOf } from '../imports/import-files.ts'
import { acceptQrCodeStyle } from '../styles/qr-code-styles.ts'
import { styleLookup } from '../styles/saved-styles.ts'
import { readExport } from './read-export.ts'

/** An upload whose rows are in the catalogue, under the id of the job that it may become. */
export type MoveUpload = {
  key: ImportKey
  input: Omit<MoveInput, 'origin'>
  /** For `Idempotency-Key`: a repeated upload is the same request. */
  toJSON: () => unknown
}

const rowsPerChunkMax = 500
const charsPerChunkMax = 512 * 1024

const checkFields = validatorOf(StartMoveFields, 'body')
const checkMapping = validatorOf(ChosenMoveColumns, 'body')

/**
 * Reads the form that starts a move. Writes rows to the catalogue as they arrive; only one chunk is
 * in memory. Throws ApiError, and leaves nothing behind, if the upload cannot become a move.
 */
export async function receiveMove(
  { db, config, clock, work }: ApiContext,
  { organizationId }: Caller,
  request: FastifyRequest,
): Promise<MoveUpload> {
  // Before the file is received. The transaction that starts the move checks again.
  await requireRoomForImport(db, organizationId)
  const key = { organizationId, id: createId('job') }
  try {
    const { fields, file } = await receiveForm(request, {
      fileBytesMax: limits.moveBytesMax,
      takeFile: async (one) =>
        takeFile(one, async (chunk, rows) => saveImportChunk(db, { ...key, chunk, nowMs: clock() }, rows)),
    })
    const { source, domainId, mapping: written, dryRun = false } = fieldsOf(fields)
    if (file === undefined) throw fileError('is required')
    const { fileName, header, totalRows, sha256 } = file
    const mapping = mapMoveColumns(source, header, chosenColumns(written))
    requireMapping(mapping, header)
    const domain = await domainOf(db, organizationId, domainId)
    const { preview, longest } = await surveyRows(db, key, { header, mapping, domain, nowMs: clock() })
    const style = await styleLookup(db, organizationId)(undefined)
    const { publicUrl } = config
    // The longest short code has the largest picture.
    const drawn = { shortCode: longest, domain: domain?.hostname, publicUrl, storedStyles: [style], work }
    const look = await acceptQrCodeStyle(style, drawn)
    return {
      key,
      input: {
        source,
        dryRun,
        fileName,
        header,
        mapping,
        preview,
        totalRows,
        look,
        ...(domain !== undefined && { domain }),
      },
      toJSON: () => ({ source, dryRun, domainId, mapping, fileName, sha256 }),
    }
  } catch (error) {
    await discardImportChunks(db, key).catch(() => undefined)
    throw error
  }
}

type TakenFile = { fileName: string | null; header: string[]; totalRows: number; sha256: string }

async function takeFile(
  { name, bytes }: FormFile,
  save: (chunk: number, rows: readonly MovedRow[]) => Promise<void>,
): Promise<TakenFile> {
  const hash = createHash('sha256')
  async function* hashed() {
    for await (const chunk of bytes) {
      hash.update(chunk)
      yield chunk
    }
  }

  let header: string[] | undefined
  let [totalRows, chunk, chars] = [0, 0, 0]
  let rows: MovedRow[] = []
  for await (const { line, cells } of readExport(decodeText(hashed()))) {
    if (header === undefined) {
      header = headerOf(cells)
      continue
    }
    totalRows++
    if (totalRows > limits.moveRowsMax) throw tooManyRows()
    rows.push({ row: totalRows, line, cells: cells.slice(0, header.length) })
    chars += cells.reduce((sum, cell) => sum + cell.length, 0)
    if (rows.length < rowsPerChunkMax && chars < charsPerChunkMax) continue
    await save(chunk++, rows)
    rows = []
    chars = 0
  }
  if (header === undefined) throw fileError('is empty; its first row must name the columns')
  if (totalRows === 0) throw fileError('has no links')
  if (rows.length > 0) await save(chunk, rows)
  return { fileName: fileNameOf(name), header, totalRows, sha256: hash.digest('hex') }
}

/** The names of the columns, without the empty cells that spreadsheets leave at the end. */
function headerOf(cells: readonly string[]): string[] {
  const header = cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1)
  if (header.length > limits.importColumnsMax)
    throw fileError(`must have at most ${limits.importColumnsMax} columns, got ${header.length}`)
  return header.map((name) => Array.from(name.trim()).slice(0, limits.nameCharsMax).join(''))
}

/**
 * Reads all rows again, now that the columns are known: marks those whose short code an earlier row
 * has, and returns the first links and the longest short code.
 */
async function surveyRows(
  db: Database,
  key: ImportKey,
  options: { header: readonly string[]; mapping: MoveMapping; domain: CodeDomain | undefined; nowMs: number },
): Promise<{ preview: MovePreviewLink[]; longest: string | undefined }> {
  const { header, mapping, domain, nowMs } = options
  const places = moveCells(mapping, header)
  const lines = new Map<string, number>()
  const preview: MovePreviewLink[] = []
  let longest: string | undefined
  for (let from = 0; ;) {
    const found = await readImportChunk(db, key, { from })
    if (found === undefined) return { preview, longest }
    const rows = found.rows as MovedRow[]
    let repeats = 0
    const marked = rows.map((row): MovedRow => {
      const { link } = readMovedLink(places, row.cells, nowMs)
      if (preview.length < limits.movePreviewLinksMax) preview.push(previewOf(row, link))
      if (link.shortCode === '') return row
      if (link.shortCode.length > (longest?.length ?? 0)) longest = link.shortCode
      const code = codeKey({ shortCode: link.shortCode, domain: domain?.hostname ?? '' })
      const sameAs = lines.get(code)
      if (sameAs === undefined) {
        lines.set(code, row.line)
        return row
      }
      repeats++
      return { ...row, sameAs }
    })
    if (repeats > 0) await replaceMoveChunk(db, { ...key, chunk: found.chunk }, marked)
    from = found.chunk + 1
  }
}

function previewOf(
  { line }: MovedRow,
  { shortCode, destination, title, tags, createdAtMs, scansBefore }: ReturnType<typeof readMovedLink>['link'],
): MovePreviewLink {
  const createdAt = timestampOrNull(createdAtMs ?? null)
  return { line, shortCode, destination, title, tags, createdAt, scansBefore }
}

async function domainOf(
  db: Database,
  organizationId: string,
  domainId: string | undefined,
): Promise<CodeDomain | undefined> {
  if (domainId === undefined) return readDefaultDomain(db, organizationId)
  const domain = await readDomain(db, { organizationId, id: domainId })
  if (domain === undefined || domain.status === 'PENDING') throw noSuchDomain(domainId)
  return { id: domain.id, hostname: domain.hostname }
}

function fieldsOf({ dryRun, ...fields }: Record<string, string>): StartMoveFields {
  const given: Record<string, unknown> = { ...fields }
  if (dryRun !== undefined) given['dryRun'] = dryRun === 'true' ? true : dryRun === 'false' ? false : dryRun
  if (given['file'] !== undefined) throw fileError('must be a file with a file name')
  checkFields(given)
  return given as StartMoveFields
}

function chosenColumns(written: string | undefined): Partial<MoveMapping> {
  if (written === undefined) return {}
  let chosen: unknown
  try {
    chosen = JSON.parse(written)
  } catch {
    throw validationError([{ path: 'mapping', message: 'must be JSON, such as {"destination":["Target"]}' }])
  }
  if (typeof chosen !== 'object' || chosen === null || Array.isArray(chosen))
    throw validationError([{ path: 'mapping', message: 'must be an object of fields' }])
  try {
    checkMapping(chosen)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const details = (error.details ?? []).map(({ path, message }) => ({ path: `mapping.${path}`, message }))
    throw validationError(details)
  }
  return chosen
}

/** Throws ApiError 400 that names the fields without a column, and the columns of the file. */
function requireMapping(mapping: MoveMapping, header: readonly string[]): void {
  const problems = mappingProblems(mapping, header)
  if (problems.length === 0) return
  const details = problems.map(({ field, message }) => ({ path: `mapping.${field}`, message }))
  const error = validationError(details)
  throw new ApiError(400, 'VALIDATION_ERROR', `${error.message}. Columns of the file: ${header.join(', ')}`, {
    details,
  })
}

function fileError(message: string): ApiError {
  return validationError([{ path: 'file', message }])
}

function tooManyRows(): ApiError {
  const message = `must have at most ${limits.moveRowsMax} links; split it and move the parts one after another`
  return new ApiError(400, 'TOO_MANY_ROWS', `file: ${message}`, { details: [{ path: 'file', message }] })
}
