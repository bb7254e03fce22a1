import { problem, type Problem, type FieldProblem } from '@everscan/contract/problems/problem.ts'
import type { ImportRepairs, StartImportFields } from '@everscan/contract/resources/bulk-imports.ts'
import {
  importColumnOf,
  importColumns,
  metadataColumn,
  metadataColumnProblem,
} from '@everscan/contract/code-types/import-columns.ts'
import { readImportHeader, type ImportMapping } from '@everscan/contract/code-types/import-mapping.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import { noSuchFolder, readFolder } from '../../catalogue/codes/folders.ts'
import { readDefaultDomain } from '../../catalogue/domains/code-domains.ts'
import { readImport } from '../../catalogue/imports/imports.ts'
import type { ImportInput, ImportKey } from '../../catalogue/rows/import-row.ts'
import type { Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import type { ReceivedFile } from '../../files/received-file.ts'
import type { ProductContext } from '../product-context.ts'
import { styleLookup } from '../styles/style-lookup.ts'
import { fileError, validationError } from '../../request-errors.ts'
import type { AcceptedStyle } from '../styles/acceptance.ts'
import { acceptQrCodeStyle } from '../styles/qr-code-styles.ts'
import { readRows } from '../../files/read-rows.ts'
import { saveRows, type SavedFile } from './save-rows.ts'
import { surveyRows } from './survey-rows.ts'

export type PreparedImport = ImportInput & { look: AcceptedStyle }

/** Saves the rows of a file as they arrive; only one chunk is in memory. */
export async function saveImportFile(
  db: Database,
  key: ImportKey,
  { file, clock }: { file: ReceivedFile; clock: () => number },
): Promise<SavedFile> {
  return saveRows(db, key, {
    file,
    read: (bytes) => readRows({ mediaType: file.mediaType, bytes }),
    rowsMax: limits.importRowsMax,
    // One cell more shows that a row has too many.
    cellsMax: () => limits.importColumnsMax + 1,
    clock,
  })
}

/** Makes the input of a job whose rows were saved. Throws ApiError 400 for a wrong field. */
export async function prepareImport(
  {
    db,
    config: { publicUrl },
    work,
  }: Pick<ProductContext, 'db' | 'work'> & { config: { publicUrl: string } },
  key: ImportKey,
  { file, settings }: { file: SavedFile; settings: StartImportFields },
): Promise<PreparedImport> {
  const { organizationId } = key
  const { type, dryRun = false, styleId, folderId, repairs, repairOf } = settings
  const { fileName, totalRows } = file
  const read = columnsOf(type, file.header, settings)
  const { header, columns } = withRepairedColumns({ header: file.header, columns: read }, settings)
  if (totalRows === 0) throw fileError(problem('fileWithoutRows'))
  checkRepairedRows(repairs, totalRows)
  if (folderId !== undefined && (await readFolder(db, { organizationId, id: folderId })) === undefined)
    throw noSuchFolder(folderId)
  if (
    repairOf !== undefined &&
    (await readImport(db, { organizationId, id: repairOf }, 'import')) === undefined
  )
    throw noSuchImport(repairOf)
  const style = await styleLookup(db, organizationId)(styleId)
  const domain = await readDefaultDomain(db, organizationId)
  const shortCode = await surveyRows(db, key, { columns, repairs, domain })
  const drawn = { shortCode, domain: domain?.hostname, publicUrl, storedStyles: [style], work }
  return {
    type,
    dryRun,
    fileName,
    header,
    columns,
    totalRows,
    look: await acceptQrCodeStyle(style, drawn),
    ...(domain !== undefined && { domain }),
    ...(styleId !== undefined && { styleId }),
    ...(folderId !== undefined && { folderId }),
    ...(repairs !== undefined && { repairs }),
    ...(repairOf !== undefined && { repairOf }),
  }
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
  const problems: FieldProblem[] = [
    ...strays.map((name) => ({ path: 'columns', ...problem('columnNotThere', { column: shorter(name) }) })),
    ...Object.values(mapping).flatMap((column) =>
      column === null || importColumnOf(type, column) !== undefined
        ? []
        : [{ path: 'columns', ...notAColumn(type, column) }],
    ),
    ...columns.flatMap(({ name, column, repeated }) => {
      if (repeated) return [{ path: 'file', ...columnTwice(name) }]
      if (column !== undefined) return []
      // Data of a column that is meant to be kept are not ignored with the others.
      if (unknownColumns === 'ignore' && metadataColumnProblem(name) === undefined) return []
      return [{ path: 'file', ...notAColumn(type, name) }]
    }),
    ...missing.map((name) => ({ path: 'file', ...problem('columnMissing', { column: name }) })),
  ]
  if (problems.length === 0) return columns.map(({ column }) => column ?? null)
  const fixed = importColumns(type).map(({ name, required }) => (required ? `${name} (required)` : name))
  const expected = [...fixed, metadataColumn('KEY')].join(', ')
  const error = validationError(problems)
  const message = `${error.message}. Columns of ${type}: ${expected}`
  throw new ApiError(400, 'VALIDATION_ERROR', { ...error.told, message }, { details: problems })
}

function columnTwice(name: string): Problem {
  return name === '' ? problem('unnamedColumnTwice') : problem('columnTwice', { column: shorter(name) })
}

function notAColumn(type: QrCodeType, name: string): Problem {
  if (name === '') return problem('unnamedColumn', { type })
  const column = shorter(name)
  return metadataColumnProblem(name) === undefined
    ? problem('strangeColumn', { column, type })
    : problem('strangeMetadataColumn', { column })
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
  if (beyond !== undefined) throw repairError(problem('repairBeyond', { row: beyond, rows: totalRows }))
}

function noSuchImport(id: string): ApiError {
  return validationError([{ path: 'repairOf', ...problem('noSuchImport', { got: id }) }])
}

function repairError(found: Problem): ApiError {
  return validationError([{ path: 'repairs', ...found }])
}

function shorter(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
