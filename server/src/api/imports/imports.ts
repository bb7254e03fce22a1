import {
  ImportJob,
  ImportJobPage,
  ImportPreview,
  ImportSampleQuery,
  ListImportJobsQuery,
  PreviewImportForm,
  StartImportForm,
} from '@everscan/contract/resources/bulk-imports.ts'
import { OrganizationParams, RecordParams } from '@everscan/contract/schema/common.ts'
import { importColumnOf, importTemplate } from '@everscan/contract/code-types/import-columns.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { paginationOf } from '@everscan/contract/schema/pages.ts'
import {
  cancelImport,
  listImports,
  readImport,
  readImportErrors,
  startImport,
} from '../../catalogue/imports/imports.ts'
import type { ImportJobRow } from '../../catalogue/rows/import-row.ts'
import type { Database } from '../../db/database.ts'
import { Answer, endpoint } from '../http/endpoint.ts'
import { csvAnswer } from '../http/csv-answers.ts'
import { errorLines } from '../../product/imports/import-errors.ts'
import { receiveImport } from './import-files.ts'
import { receivePreview } from './preview-file.ts'
import { pageOf } from '../http/pages.ts'
import { notFound } from '../../request-errors.ts'
import { csvLines, csvType } from '../../files/write-csv.ts'
import { importRecord, importSummary } from '../../product/records/import-records.ts'

const tag = 'Bulk import'
const collection = '/organizations/:orgId/qr-codes/bulk-import'
const one = `${collection}/:id` as const

export const start = endpoint({
  id: 'startImport',
  method: 'POST',
  path: collection,
  role: 'EDITOR',
  scope: 'imports',
  tag,
  summary: 'Import QR codes from a CSV or xlsx file in the background.',
  description: `Accepts xlsx (the first sheet), and CSV in UTF-8, UTF-16 or Windows-1252, separated by commas, semicolons or tabs. The template of a type has its columns; other names are mapped with the field "columns". Problems of the file as a whole are returned immediately, problems of rows in the job. 409 if ${limits.importsOpenMax} imports of the organization have not ended.`,
  params: OrganizationParams,
  form: { schema: StartImportForm, receive: receiveImport },
  idempotent: true,
  requestHeaders: {
    'Idempotency-Key': 'Any text; a repeat within 24 hours returns the first response.',
  },
  takes: 'uploads',
  status: 202,
  response: ImportJob,
  responseHeaders: {
    Location: 'URL of the job.',
    'Idempotent-Replayed': 'true if this repeats the first response.',
  },
  errors: [409],
  handle: async ({ db, clock }, { origin }, { body }) => {
    const job = await startImport(db, body.key, { input: body.input, origin, nowMs: clock() })
    return new Answer(importRecord(job, []), { location: importPath(job) })
  },
})

export const preview = endpoint({
  id: 'previewImport',
  method: 'POST',
  path: `${collection}/preview`,
  role: 'EDITOR',
  scope: 'imports',
  tag,
  summary: 'Read the columns and the first rows of a CSV or xlsx file.',
  description:
    'Nothing is kept or written. The same problems of the file as a whole are returned as by an import, except those of its columns.',
  params: OrganizationParams,
  form: { schema: PreviewImportForm, receive: async (_context, _caller, request) => receivePreview(request) },
  takes: 'uploads',
  status: 200,
  response: ImportPreview,
  handle: (_context, _caller, { body }) => body,
})

export const list = endpoint({
  id: 'listImports',
  method: 'GET',
  path: collection,
  role: 'VIEWER',
  scope: 'imports',
  tag,
  summary: 'List the imports of the organization, newest first.',
  params: OrganizationParams,
  query: ListImportJobsQuery,
  tellsOfWork: true,
  status: 200,
  response: ImportJobPage,
  handle: async ({ db }, _caller, { params, query }) => {
    const page = pageOf(query)
    const { rows, total } = await listImports(db, params.orgId, { status: query.status, ...page })
    return { data: rows.map(importSummary), pagination: paginationOf(total, page) }
  },
})

export const sample = endpoint({
  id: 'downloadImportSample',
  method: 'GET',
  path: `${collection}/sample`,
  role: 'VIEWER',
  scope: 'imports',
  tag,
  summary: 'Download a CSV template for a type, with one valid row.',
  params: OrganizationParams,
  query: ImportSampleQuery,
  status: 200,
  produces: [csvType],
  responseHeaders: { 'Content-Disposition': 'A file name.' },
  handle: (_context, _caller, { query }) => {
    const columns = importTemplate(query.type)
    const text = csvLines([columns.map(({ name }) => name), columns.map(({ example }) => example)])
    return csvAnswer(text, `${query.type.toLowerCase()}-import`)
  },
})

export const read = endpoint({
  id: 'readImport',
  method: 'GET',
  path: one,
  role: 'VIEWER',
  scope: 'imports',
  tag,
  summary: 'Read an import: its progress and the rows that failed.',
  params: RecordParams,
  tellsOfWork: true,
  status: 200,
  response: ImportJob,
  handle: async ({ db }, _caller, { params }) => {
    const job = await readImport(db, { organizationId: params.orgId, id: params.id })
    if (job === undefined) throw notFound()
    return withErrors(db, job)
  },
})

export const cancel = endpoint({
  id: 'cancelImport',
  method: 'POST',
  path: `${one}/cancel`,
  role: 'EDITOR',
  scope: 'imports',
  tag,
  summary: 'Cancel an import. Codes that it has created stay.',
  description: 'Cancelling a cancelled import changes nothing; 409 if it has ended otherwise.',
  params: RecordParams,
  status: 200,
  response: ImportJob,
  errors: [409],
  handle: async ({ db, clock }, { origin }, { params }) => {
    const key = { organizationId: params.orgId, id: params.id }
    const job = await cancelImport(db, key, { origin, nowMs: clock() })
    if (job === undefined) throw notFound()
    return withErrors(db, job)
  },
})

export const errorsCsv = endpoint({
  id: 'downloadImportErrors',
  method: 'GET',
  path: `${one}/errors.csv`,
  role: 'VIEWER',
  scope: 'imports',
  tag,
  summary: 'Download the failed rows of an import, with the reasons, as CSV.',
  description:
    'Correct the rows and upload the file again: imports ignore the columns "row" and "error". Columns have the names of the type.',
  params: RecordParams,
  status: 200,
  produces: [csvType],
  responseHeaders: { 'Content-Disposition': 'A file name.' },
  handle: async ({ db }, _caller, { params }) => {
    const job = await readImport(db, { organizationId: params.orgId, id: params.id })
    if (job === undefined) throw notFound()
    const { type, header, columns } = job.input
    // Columns that were ignored are left out, and those of an earlier errors.csv are replaced.
    const kept = header.flatMap((written, index) => {
      const column = columns[index]
      if (column === null || column === undefined) return []
      // The file can be imported as it is, without the mapping.
      const name = importColumnOf(type, written) === column ? written : column
      return [{ name, index }]
    })
    return csvAnswer(await errorLines(db, job, kept), `${job.id}-errors`)
  },
})

async function withErrors(db: Database, job: ImportJobRow): Promise<ImportJob> {
  return importRecord(job, await readImportErrors(db, job, { limit: limits.importErrorsMax }))
}

function importPath({ organizationId, id }: ImportJobRow): string {
  return `/api/v1/organizations/${organizationId}/qr-codes/bulk-import/${id}`
}
