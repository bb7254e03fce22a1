import { problem } from '@everscan/contract/problems/problem.ts'
import type { ImportPreview } from '@everscan/contract/resources/bulk-imports.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { FastifyRequest } from 'fastify'
import { receiveForm } from '../http/forms.ts'
import { fileError, validationError } from '../../request-errors.ts'
import { previewFile } from '../../product/imports/preview-rows.ts'

/** Reads a form with a file of rows, and keeps nothing of it. Throws ApiError for other forms. */
export async function receivePreview(request: FastifyRequest): Promise<ImportPreview> {
  const { fields, file } = await receiveForm(request, {
    fileBytesMax: limits.importBytesMax,
    takeFile: previewFile,
  })
  const [name] = Object.keys(fields)
  if (name !== undefined)
    throw validationError([{ path: name, ...problem(name === 'file' ? 'notFile' : 'unknownField') }])
  if (file === undefined) throw fileError(problem('required'))
  return file
}
