import { StartImportFields, type ImportRepairs } from '@everscan/contract/resources/bulk-imports.ts'
import {
  importColumnOf,
  importColumns,
  metadataColumn,
  metadataColumnProblem,
} from '@everscan/contract/code-types/import-columns.ts'
import { readImportHeader, type ImportMapping } from '@everscan/contract/code-types/import-mapping.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import type { FastifyRequest } from 'fastify'
import {
  discardImportChunks,
  saveImportChunk,
  type ImportRow,
} from '../../catalogue/imports/import-chunks.ts'
import { readImport, requireRoomForImport } from '../../catalogue/imports/imports.ts'
import type { ImportInput, ImportKey } from '../../catalogue/rows/import-row.ts'
import { noSuchFolder, readFolder } from '../../catalogue/codes/folders.ts'
import { ApiError, type ProblemDetail } from '../../errors.ts'
import { createId } from '../../ids.ts'
import type { ApiContext } from '../http/api-context.ts'
import type { Caller } from '../http/callers.ts'
import { type FormFile, receiveForm } from '../http/bodies/forms.ts'
import { readDefaultDomain } from '../../catalogue/domains/code-domains.ts'
import { acceptQrCodeStyle } from '../styles/qr-code-styles.ts'
import { fileError, validationError } from '../http/request-errors.ts'
import { readRows } from './read-rows.ts'
import { saveRows } from './save-rows.ts'
import { surveyRows } from './survey-rows.ts'
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
      fieldBytesMax: limits.importFieldBytesMax,
      takeFile: (one) => takeFile(one, save),
    })
    const settings = fieldsOf(fields)
    const { type, dryRun = false, styleId, folderId, repairs, repairOf } = settings
    if (file === undefined) throw fileError('is required')
    const read = columnsOf(type, file.header, settings)
    const { header, columns } = withRepairedColumns({ header: file.header, columns: read }, settings)
    if (file.totalRows === 0) throw fileError('has no row below the one that names the columns')
    checkRepairedRows(repairs, file.totalRows)
    if (folderId !== undefined && (await readFolder(db, { organizationId, id: folderId })) === undefined)
      throw noSuchFolder(folderId)
    if (repairOf !== undefined && (await readImport(db, { organizationId, id: repairOf })) === undefined)
      throw noSuchImport(repairOf)
    const style = await styleLookup(db, organizationId)(styleId)
    const { publicUrl } = config
    const domain = await readDefaultDomain(db, organizationId)
    const shortCode = await surveyRows(db, key, { columns, repairs, domain })
    const drawn = { shortCode, domain: domain?.hostname, publicUrl, storedStyles: [style], work }
    const look = await acceptQrCodeStyle(style, drawn)
    const { fileName, totalRows, sha256 } = file
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
        ...(styleId !== undefined && { styleId }),
        ...(folderId !== undefined && { folderId }),
        ...(repairs !== undefined && { repairs }),
        ...(repairOf !== undefined && { repairOf }),
      },
      toJSON: () => ({ ...settings, dryRun, fileName, sha256 }),
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
  const saved = await saveRows(bytes, {
    read: (some) => readRows({ mediaType, bytes: some }),
    rowsMax: limits.importRowsMax,
    // One cell more shows that a row has too many.
    cellsMax: () => limits.importColumnsMax + 1,
    save,
  })
  return { fileName: fileNameOf(name), ...saved }
}

type ColumnSettings = { columns?: ImportMapping; unknownColumns?: 'refuse' | 'ignore' }

/**
 * Maps each column of the file to a column of the type, or to null if it is ignored. Throws
 * ApiError 400 with every problem of the first row and of the mapping.
 */
export function columnsOf(
  type: QrCodeType,
  header: readonly string[],
  { columns: mapping = {}, unknownColumns = 'refuse' }: ColumnSettings = {},
): (string | null)[] {
  const { columns, missing, strays } = readImportHeader(type, header, mapping)
  const problems: ProblemDetail[] = [
    ...strays.map((name) => ({ path: 'columns', message: `names "${shorter(name)}", which the file lacks` })),
    ...Object.values(mapping).flatMap((column) =>
      column === null || importColumnOf(type, column) !== undefined
        ? []
        : [{ path: 'columns', message: notAColumn(type, column) }],
    ),
    ...columns.flatMap(({ name, column, repeated }) => {
      const shown = name === '' ? 'a column without a name' : `"${shorter(name)}"`
      if (repeated) return [{ path: 'file', message: `has the column ${shown} twice` }]
      if (column !== undefined) return []
      // Data of a column that is meant to be kept are not ignored with the others.
      if (unknownColumns === 'ignore' && metadataColumnProblem(name) === undefined) return []
      return [{ path: 'file', message: notAColumn(type, name) }]
    }),
    ...missing.map((name) => ({ path: 'file', message: `must have the column "${name}"` })),
  ]
  if (problems.length === 0) return columns.map(({ column }) => column ?? null)
  const fixed = importColumns(type).map(({ name, required }) => (required ? `${name} (required)` : name))
  const expected = [...fixed, metadataColumn('KEY')].join(', ')
  const error = validationError(problems)
  throw new ApiError(400, 'VALIDATION_ERROR', `${error.message}. Columns of ${type}: ${expected}`, {
    details: problems,
  })
}

function notAColumn(type: QrCodeType, name: string): string {
  const shown = name === '' ? 'a column without a name' : `"${shorter(name)}"`
  const problem = metadataColumnProblem(name)
  return problem === undefined
    ? `has ${shown}, which is not a column of ${type}`
    : `has ${shown}, which ${problem}`
}

type FileColumns = { header: readonly string[]; columns: readonly (string | null)[] }

/**
 * Adds the columns that only repaired rows have, so that each of their values has a place. Throws
 * ApiError 400 for a column that the type does not have.
 */
function withRepairedColumns(
  { header, columns }: FileColumns,
  { type, repairs = {} }: StartImportFields,
): FileColumns {
  const repaired = new Set(Object.values(repairs).flatMap((values) => Object.keys(values)))
  const strange = [...repaired].find((name) => importColumnOf(type, name) !== name)
  if (strange !== undefined) throw repairError(notAColumn(type, strange))
  const added = [...repaired].filter((name) => !columns.includes(name))
  return { header: [...header, ...added], columns: [...columns, ...added] }
}

function checkRepairedRows(repairs: ImportRepairs = {}, totalRows: number): void {
  const beyond = Object.keys(repairs).find((row) => Number(row) > totalRows)
  if (beyond !== undefined) throw repairError(`has the row ${beyond}, but the file has ${totalRows}`)
}

function noSuchImport(id: string): ApiError {
  return validationError([
    { path: 'repairOf', message: `must be an import of this organization, got "${id}"` },
  ])
}

function repairError(message: string): ApiError {
  return validationError([{ path: 'repairs', message }])
}

const jsonFields = ['columns', 'repairs'] as const

function fieldsOf({ dryRun, ...fields }: Record<string, string>): StartImportFields {
  const given: Record<string, unknown> = { ...fields }
  if (dryRun !== undefined) given['dryRun'] = dryRun === 'true' ? true : dryRun === 'false' ? false : dryRun
  for (const name of jsonFields) if (fields[name] !== undefined) given[name] = jsonOf(name, fields[name])
  if (given['file'] !== undefined) throw fileError('must be a file with a file name')
  checkFields(given)
  return given as StartImportFields
}

function jsonOf(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const message = 'must be JSON'
    throw new ApiError(400, 'VALIDATION_ERROR', `${name}: ${message}`, {
      cause,
      details: [{ path: name, message }],
    })
  }
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
