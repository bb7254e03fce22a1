import { problem } from '../problems/local-problem.ts'
import { Type, type Static } from 'typebox'
import { Count, Id, IdInput, Timestamp, newObject, nullable, oneOf, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { namedDetails, namedProblem } from '../schema/named-problems.ts'
import { Pagination, pageParameters } from '../schema/pages.ts'
import { QrCodeType } from '../code-types/code-types.ts'
import { CreateQrCode, QrCodeStatus } from './qr-codes.ts'

export const importStatuses = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const

/**
 * PENDING, PROCESSING, then COMPLETED (even with row errors), FAILED (the file could not be read)
 * or CANCELLED.
 */
export const ImportStatus = oneOf(importStatuses, {
  description: 'COMPLETED even if rows failed; FAILED only if the file as a whole cannot be read.',
})
export type ImportStatus = Static<typeof ImportStatus>

/** A code as a row describes it: as the API creates one, and with a status. */
export const ImportedQrCode = newObject({
  ...CreateQrCode.properties,
  status: Type.Optional(QrCodeStatus),
})
export type ImportedQrCode = Static<typeof ImportedQrCode>

/** A row of the file that did not become a code. */
export const ImportRowError = strictObject(
  {
    row: Type.Integer({ description: 'Number of the data row, from 1.', minimum: 1 }),
    error: Type.String({ description: 'What is wrong, in a sentence.' }),
    line: Type.Integer({ description: 'Number of the line in the file, from 1.', minimum: 1 }),
    column: nullable(Type.String({ description: 'Name of the column; null for the row as a whole.' })),
    code: Type.String({ description: 'The error code.' }),
    details: namedDetails('The problems that `error` tells, each with its column or field'),
    values: nullable(
      Type.Unsafe<Record<string, string>>({
        type: 'object',
        additionalProperties: { type: 'string' },
        description: `The cells of the row by column, as the file has them; null if they have more than ${limits.importErrorCharsMax} characters in all, or if the import ignored them.`,
      }),
    ),
  },
  {
    examples: [
      {
        row: 3,
        error: 'url: must begin with http:// or https://',
        line: 4,
        column: 'url',
        code: 'VALIDATION_ERROR',
        details: [{ path: 'url', ...problem('notHttp') }],
        values: { name: 'Poster', url: 'example.com' },
      },
    ],
  },
)
export type ImportRowError = Static<typeof ImportRowError>

const summaryFields = {
  id: Id('job'),
  status: ImportStatus,
  type: QrCodeType,
  fileName: nullable(Type.String({ description: 'Name of the uploaded file.' })),
  dryRun: Type.Boolean({ description: 'Whether the job only validates the file and writes nothing.' }),
  styleId: nullable(
    Type.String({ description: 'The style that the import was started with; null: the default style.' }),
  ),
  folderId: nullable(
    Type.String({ description: 'The folder for codes whose row names none; null: no folder.' }),
  ),
  repairOf: nullable(
    Type.String({ description: 'The import whose failed rows this one repairs; null: it repairs none.' }),
  ),
  totalRows: Count('Rows in the file.'),
  processedRows: Count('Rows processed so far.'),
  successCount: Count('Rows that became codes.'),
  errorCount: Count('Rows that failed.'),
  createdAt: Timestamp('When the job was created.'),
  completedAt: nullable(Timestamp('When the job ended; null until then.')),
  failureReason: nullable(Type.String({ description: 'Why the job FAILED, in a sentence; null otherwise.' })),
  ...namedProblem,
}

/** An import job in a list. */
export const ImportJobSummary = strictObject(summaryFields)
export type ImportJobSummary = Static<typeof ImportJobSummary>

/** An import job. */
export const ImportJob = strictObject({
  ...summaryFields,
  errors: Type.Array(ImportRowError, {
    description: `The first ${limits.importErrorsMax} row errors; errors.csv has all of them.`,
    maxItems: limits.importErrorsMax,
  }),
  errorsTruncated: Type.Boolean({ description: 'Whether there are more errors than `errors` contains.' }),
})
export type ImportJob = Static<typeof ImportJob>

export const ImportJobPage = strictObject({ data: Type.Array(ImportJobSummary), pagination: Pagination })
export type ImportJobPage = Static<typeof ImportJobPage>

/** The query of the list of import jobs. */
export const ListImportJobsQuery = strictObject({ ...pageParameters, status: Type.Optional(ImportStatus) })
export type ListImportJobsQuery = Static<typeof ListImportJobsQuery>

/** Columns of the type, by their names in the file. */
export const ImportColumnsField = Type.Unsafe<Record<string, string | null>>({
  type: 'object',
  additionalProperties: { type: ['string', 'null'], maxLength: 200 },
  maxProperties: limits.importColumnsMax,
  description: 'Columns of the type, or null, by their names in the file.',
  examples: [{ Title: 'name', Link: 'url', Notes: null }],
})

/** Values that replace those in the file, by the number of the row and the column. */
export const ImportRepairsField = Type.Unsafe<ImportRepairs>({
  type: 'object',
  propertyNames: { type: 'string', pattern: '^[1-9][0-9]{0,4}$' },
  additionalProperties: {
    type: 'object',
    additionalProperties: { type: 'string', maxLength: limits.importCellBytesMax },
  },
  maxProperties: limits.importErrorsMax,
  description: 'Values by column, by the number of the row.',
  examples: [{ 3: { url: 'https://example.com' } }],
})
export type ImportRepairs = Record<string, Record<string, string>>

const settingFields = {
  type: QrCodeType,
  dryRun: Type.Optional(
    Type.Boolean({ description: 'Only validate the file and write nothing.', default: false }),
  ),
  styleId: Type.Optional(
    IdInput('A style of the organization for every code. Default: the default style of the organization.'),
  ),
  folderId: Type.Optional(IdInput('A folder for the codes whose row names none.')),
  repairOf: Type.Optional(
    IdInput('An earlier import, some failed rows of which are in this file. Only shown with this import.'),
  ),
  unknownColumns: Type.Optional(
    oneOf(['refuse', 'ignore'], {
      description: 'What to do with columns that the type does not have. Default: refuse the file.',
    }),
  ),
}

/** The text fields of the multipart form that starts an import; the file is in `file`. */
export const StartImportFields = strictObject({
  ...settingFields,
  columns: Type.Optional(ImportColumnsField),
  repairs: Type.Optional(ImportRepairsField),
})
export type StartImportFields = Static<typeof StartImportFields>

const json = { contentMediaType: 'application/json' }

/** The multipart form that starts an import, as the OpenAPI document describes it. */
export const StartImportForm = strictObject({
  file: Type.String({
    description: `CSV or xlsx, at most ${limits.importBytesMax / 1024 ** 2} MiB and ${limits.importRowsMax} rows. The first row names the columns.`,
    contentMediaType: 'text/csv',
  }),
  ...settingFields,
  columns: Type.Optional(
    Type.String({
      description:
        'JSON: an object with the columns of the type by their names in the file, and null for a column to ignore. A column that it does not name is known by its own name. `metadata.KEY` is the metadata of a key, in its letter case.',
      examples: ['{"Title":"name","Link":"url","Order":"metadata.orderNo","Notes":null}'],
      ...json,
    }),
  ),
  repairs: Type.Optional(
    Type.String({
      description: `JSON: values that replace those in the file, by the number of the row (\`row\` of an error) and the column; at most ${limits.importErrorsMax} rows.`,
      examples: ['{"3":{"url":"https://example.com"}}'],
      ...json,
    }),
  ),
})

/** The multipart form with a file to look into. */
export const PreviewImportForm = strictObject({ file: StartImportForm.properties.file })

/** The columns and the first rows of a file. */
export const ImportPreview = strictObject({
  header: Type.Array(Type.String(), { description: 'The first row, which names the columns.' }),
  rows: Type.Array(
    strictObject({
      line: Type.Integer({ description: 'Number of the line in the file, from 1.', minimum: 1 }),
      cells: Type.Array(Type.String()),
    }),
    { description: 'The first data rows.', maxItems: limits.importPreviewRowsMax },
  ),
  totalRows: Count('Data rows in the file.'),
})
export type ImportPreview = Static<typeof ImportPreview>

/** The query of the CSV template. */
export const ImportSampleQuery = strictObject({ type: QrCodeType })
export type ImportSampleQuery = Static<typeof ImportSampleQuery>
