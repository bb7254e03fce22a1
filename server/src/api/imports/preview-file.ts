import type { ImportPreview } from '@everscan/contract/resources/bulk-imports.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { FastifyRequest } from 'fastify'
import { receiveForm, type FormFile } from '../http/bodies/forms.ts'
import { fileError, validationError } from '../http/request-errors.ts'
import { readRows } from './read-rows.ts'
import { headerOf, tooManyRows } from './save-rows.ts'

/** Reads a form with a file of rows, and keeps nothing of it. Throws ApiError for other forms. */
export async function receivePreview(request: FastifyRequest): Promise<ImportPreview> {
  const { fields, file } = await receiveForm(request, {
    fileBytesMax: limits.importBytesMax,
    takeFile: previewOf,
  })
  const [name] = Object.keys(fields)
  if (name !== undefined)
    throw validationError([
      { path: name, message: name === 'file' ? 'must be a file with a file name' : 'is not a known field' },
    ])
  if (file === undefined) throw fileError('is required')
  return file
}

async function previewOf(file: FormFile): Promise<ImportPreview> {
  let header: string[] | undefined
  let totalRows = 0
  const rows: ImportPreview['rows'] = []
  for await (const { line, cells } of readRows(file)) {
    if (header === undefined) {
      header = headerOf(cells)
      continue
    }
    totalRows++
    if (totalRows > limits.importRowsMax) throw tooManyRows(limits.importRowsMax)
    if (rows.length < limits.importPreviewRowsMax) rows.push({ line, cells: cells.slice(0, header.length) })
  }
  if (header === undefined) throw fileError('is empty; its first row must name the columns')
  return { header, rows, totalRows }
}
