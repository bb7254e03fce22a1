import { imports } from '@everscan/contract/endpoints/imports/imports.ts'
import type { ImportJob } from '@everscan/contract/resources/bulk-imports.ts'
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
import { Answer, handler } from '../http/handler.ts'
import { csvAnswer } from '../http/csv-answers.ts'
import { errorLines } from '../../product/imports/import-errors.ts'
import { receiveImport } from './import-files.ts'
import { receivePreview } from './preview-file.ts'
import { pageOf } from '../http/pages.ts'
import { notFound } from '../../request-errors.ts'
import { csvLines } from '../../files/write-csv.ts'
import { importRecord, importSummary } from '../../product/records/import-records.ts'

export const start = handler(imports.start, {
  receive: receiveImport,
  handle: async ({ db, clock }, { origin }, { body }) => {
    const job = await startImport(db, body.key, {
      preset: 'import',
      input: body.input,
      origin,
      nowMs: clock(),
    })
    return new Answer(importRecord(job, []), { location: importPath(job) })
  },
})

export const preview = handler(imports.preview, {
  receive: async (_context, _caller, request) => receivePreview(request),
  handle: (_context, _caller, { body }) => body,
})

export const list = handler(imports.list, {
  handle: async ({ db }, _caller, { params, query }) => {
    const page = pageOf(query)
    const { rows, total } = await listImports(db, params.orgId, {
      preset: 'import',
      status: query.status,
      ...page,
    })
    return { data: rows.map(importSummary), pagination: paginationOf(total, page) }
  },
})

export const sample = handler(imports.sample, {
  handle: (_context, _caller, { query }) => {
    const columns = importTemplate(query.type)
    const text = csvLines([columns.map(({ name }) => name), columns.map(({ example }) => example)])
    return csvAnswer(text, `${query.type.toLowerCase()}-import`)
  },
})

export const read = handler(imports.read, {
  handle: async ({ db }, _caller, { params }) => {
    const job = await readImport(db, { organizationId: params.orgId, id: params.id }, 'import')
    if (job === undefined) throw notFound()
    return withErrors(db, job)
  },
})

export const cancel = handler(imports.cancel, {
  handle: async ({ db, clock }, { origin }, { params }) => {
    const key = { organizationId: params.orgId, id: params.id }
    const job = await cancelImport(db, key, { preset: 'import', origin, nowMs: clock() })
    if (job === undefined) throw notFound()
    return withErrors(db, job)
  },
})

export const errorsCsv = handler(imports.errorsCsv, {
  handle: async ({ db }, _caller, { params }) => {
    const job = await readImport(db, { organizationId: params.orgId, id: params.id }, 'import')
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
