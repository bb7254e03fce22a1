import { limits } from '../../schema/limits.ts'
import { OrganizationParams, RecordParams } from '../../schema/common.ts'
import {
  StartImportForm,
  ImportJob,
  PreviewImportForm,
  ImportPreview,
  ListImportJobsQuery,
  ImportJobPage,
  ImportSampleQuery,
} from '../../resources/bulk-imports.ts'
import { csvType } from '../media-types.ts'
import { endpoint } from '../endpoint.ts'
import { idempotencyKey, replayed } from '../headers.ts'

const tag = 'Bulk import'
const collection = '/organizations/:orgId/qr-codes/bulk-import'
const one = `${collection}/:id` as const

export const imports = {
  start: endpoint({
    id: 'startImport',
    call: 'byHand',
    method: 'POST',
    path: collection,
    role: 'EDITOR',
    scope: 'imports',
    tag,
    summary: 'Import QR codes from a CSV or xlsx file in the background.',
    description: `Accepts xlsx (the first sheet), and CSV in UTF-8, UTF-16 or Windows-1252, separated by commas, semicolons or tabs. The template of a type has its columns; other names are mapped with the field "columns". Problems of the file as a whole are returned immediately, problems of rows in the job. 409 if ${limits.importsOpenMax} imports of the organization have not ended.`,
    params: OrganizationParams,
    form: StartImportForm,
    idempotent: true,
    requestHeaders: idempotencyKey,
    takes: 'uploads',
    status: 202,
    response: ImportJob,
    responseHeaders: {
      Location: 'URL of the job.',
      ...replayed,
    },
    errors: [409],
  }),

  preview: endpoint({
    id: 'previewImport',
    call: 'byHand',
    method: 'POST',
    repeatable: true,
    path: `${collection}/preview`,
    role: 'EDITOR',
    scope: 'imports',
    tag,
    summary: 'Read the columns and the first rows of a CSV or xlsx file.',
    description:
      'Nothing is kept or written. The same problems of the file as a whole are returned as by an import, except those of its columns.',
    params: OrganizationParams,
    form: PreviewImportForm,
    takes: 'uploads',
    status: 200,
    response: ImportPreview,
  }),

  list: endpoint({
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
  }),

  sample: endpoint({
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
  }),

  read: endpoint({
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
  }),

  cancel: endpoint({
    id: 'cancelImport',
    method: 'POST',
    repeatable: true,
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
  }),

  errorsCsv: endpoint({
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
  }),
}
