import { createHash } from 'node:crypto'
import { StartImportFields } from '@everscan/contract/resources/bulk-imports.ts'
import { importColumns, readImportHeader } from '@everscan/contract/code-types/import-columns.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import type { FastifyRequest } from 'fastify'
import {
  discardImportChunks,
  saveImportChunk,
  type ImportRow,
} from '../../catalogue/imports/import-chunks.ts'
import { requireRoomForImport } from '../../catalogue/imports/imports.ts'
import type { ImportInput, ImportKey } from '../../catalogue/rows/import-row.ts'
import { noSuchFolder, readFolder } from '../../catalogue/codes/folders.ts'
import { ApiError, type ProblemDetail } from '../../errors.ts'
import { createId } from '../../ids.ts'
import { decodeText } from '../http/bodies/decode-text.ts'
import type { ApiContext } from '../http/api-context.ts'
import type { Caller } from '../http/callers.ts'
import { type FormFile, receiveForm } from '../http/bodies/forms.ts'
import { readDefaultDomain } from '../../catalogue/domains/code-domains.ts'
import { acceptQrCodeStyle } from '../styles/qr-code-styles.ts'
import { readCsv } from '../http/bodies/read-csv.ts'
import { validationError } from '../http/request-errors.ts'
import { styleLookup } from '../styles/saved-styles.ts'
import type { AcceptedStyle } from '../styles/acceptance.ts'
import { validatorOf } from '../http/validation.ts'

/** An upload whose rows are in the catalogue, under the id of the job that it may become. */
export type ImportUpload = {
  key: ImportKey
  input: ImportInput & { look: AcceptedStyle }
  /** For `Idempotency-Key`: a repeated upload is the same request. */
  toJSON: () => unknown
}

/** Rows that become codes in one transaction, which is also the step of the progress. */
const rowsPerChunkMax = 500
const charsPerChunkMax = 512 * 1024

/** The media types that browsers and spreadsheets use for a CSV file. */
const mediaTypes: ReadonlySet<string> = new Set([
  '',
  'text/csv',
  'text/plain',
  'text/x-csv',
  'text/comma-separated-values',
  'text/tab-separated-values',
  'application/csv',
  'application/x-csv',
  'application/vnd.ms-excel',
  'application/octet-stream',
])

const checkFields = validatorOf(StartImportFields, 'body')

/**
 * Reads the form that starts an import. Writes rows to the catalogue as they arrive, where the
 * worker of any machine finds them; only one chunk is in memory. Throws ApiError, and leaves
 * nothing behind, if the upload cannot become an import.
 */
export async function receiveImport(
  { db, config, clock, work }: ApiContext,
  { organizationId }: Caller,
  request: FastifyRequest,
): Promise<ImportUpload> {
  // Before the file is received. The transaction that starts the import checks again.
  await requireRoomForImport(db, organizationId)
  const key = { organizationId, id: createId('job') }
  const save = async (chunk: number, rows: readonly ImportRow[]) =>
    saveImportChunk(db, { ...key, chunk, nowMs: clock() }, rows)
  try {
    const { fields, file } = await receiveForm(request, {
      fileBytesMax: limits.importBytesMax,
      takeFile: (one) => takeFile(one, save),
    })
    const { type, dryRun = false, styleId, folderId } = fieldsOf(fields)
    if (file === undefined) throw fileError('is required')
    const columns = columnsOf(type, file.header)
    if (folderId !== undefined && (await readFolder(db, { organizationId, id: folderId })) === undefined)
      throw noSuchFolder(folderId)
    const style = await styleLookup(db, organizationId)(styleId)
    const { publicUrl } = config
    const domain = await readDefaultDomain(db, organizationId)
    const drawn = { domain: domain?.hostname, publicUrl, storedStyles: [style], work }
    const look = await acceptQrCodeStyle(style, drawn)
    const { fileName, header, totalRows, sha256 } = file
    return {
      key,
      input: {
        type,
        dryRun,
        fileName,
        header,
        columns,
        totalRows,
        look,
        ...(domain !== undefined && { domain }),
        ...(folderId !== undefined && { folderId }),
      },
      toJSON: () => ({ type, dryRun, styleId, folderId, fileName, sha256 }),
    }
  } catch (error) {
    await discardImportChunks(db, key).catch(() => undefined)
    throw error
  }
}

type TakenFile = { fileName: string | null; header: string[]; totalRows: number; sha256: string }

async function takeFile(
  { name, mediaType, bytes }: FormFile,
  save: (chunk: number, rows: readonly ImportRow[]) => Promise<void>,
): Promise<TakenFile> {
  if (!mediaTypes.has(mediaType.toLowerCase()))
    throw new ApiError(
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      `file: must be a CSV file (text/csv), got ${mediaType.slice(0, 100)}`,
    )
  const hash = createHash('sha256')
  async function* hashed() {
    for await (const chunk of bytes) {
      hash.update(chunk)
      yield chunk
    }
  }

  let header: string[] | undefined
  let totalRows = 0
  let chunk = 0
  let chars = 0
  let rows: ImportRow[] = []
  for await (const { line, cells } of readCsv(decodeText(hashed()))) {
    if (header === undefined) {
      header = headerOf(cells)
      continue
    }
    totalRows++
    if (totalRows > limits.importRowsMax) throw tooManyRows()
    rows.push({ row: totalRows, line, cells: cells.slice(0, limits.importColumnsMax + 1) })
    chars += cells.reduce((sum, cell) => sum + cell.length, 0)
    if (rows.length < rowsPerChunkMax && chars < charsPerChunkMax) continue
    await save(chunk++, rows)
    rows = []
    chars = 0
  }
  if (header === undefined) throw fileError('is empty; its first row must name the columns')
  if (rows.length > 0) await save(chunk, rows)
  return { fileName: fileNameOf(name), header, totalRows, sha256: hash.digest('hex') }
}

/**
 * The column names in the first row, without the empty cells that spreadsheets leave at its end.
 */
function headerOf(cells: readonly string[]): string[] {
  const header = cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1)
  if (header.length <= limits.importColumnsMax) return header
  throw fileError(`must have at most ${limits.importColumnsMax} columns, got ${header.length}`)
}

/**
 * Maps each column of the file to a column of the type. Throws ApiError 400 with every problem of
 * the first row.
 */
export function columnsOf(type: QrCodeType, header: readonly string[]): (string | null)[] {
  const { columns, missing } = readImportHeader(type, header)
  const problems: ProblemDetail[] = [
    ...columns.flatMap(({ name, column, repeated }) => {
      if (column !== undefined) return []
      const shown = name === '' ? 'a column without a name' : `"${shorter(name)}"`
      const message = repeated
        ? `has the column ${shown} twice`
        : `has ${shown}, which is not a column of ${type}`
      return [{ path: 'file', message }]
    }),
    ...missing.map((name) => ({ path: 'file', message: `must have the column "${name}"` })),
  ]
  if (problems.length === 0) return columns.map(({ column }) => column ?? null)
  const expected = importColumns(type)
    .map(({ name, required }) => (required ? `${name} (required)` : name))
    .join(', ')
  const error = validationError(problems)
  throw new ApiError(400, 'VALIDATION_ERROR', `${error.message}. Columns of ${type}: ${expected}`, {
    details: problems,
  })
}

function fieldsOf({ dryRun, ...fields }: Record<string, string>): StartImportFields {
  const given: Record<string, unknown> = { ...fields }
  if (dryRun !== undefined) given['dryRun'] = dryRun === 'true' ? true : dryRun === 'false' ? false : dryRun
  if (given['file'] !== undefined) throw fileError('must be a file with a file name')
  checkFields(given)
  return given as StartImportFields
}

/** The name under which a file was sent. */
export function fileNameOf(name: string): string | null {
  // Some browsers send the full path.
  const last =
    name
      .split(/[\\/]/)
      .at(-1)
      ?.replaceAll(/\p{Cc}/gu, '')
      .trim() ?? ''
  return last === '' ? null : Array.from(last.toWellFormed()).slice(0, limits.nameCharsMax).join('')
}

function shorter(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

function fileError(message: string): ApiError {
  return validationError([{ path: 'file', message }])
}

function tooManyRows(): ApiError {
  const message = `must have at most ${limits.importRowsMax} rows; split it and import the parts one after another`
  return new ApiError(400, 'TOO_MANY_ROWS', `file: ${message}`, { details: [{ path: 'file', message }] })
}
