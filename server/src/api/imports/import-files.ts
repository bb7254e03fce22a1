import { problem } from '@everscan/contract/problems/problem.ts'
import { StartImportFields } from '@everscan/contract/resources/bulk-imports.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../catalogue/organizations/callers.ts'
import type { ImportKey } from '../../catalogue/rows/import-row.ts'
import { ApiError } from '../../errors.ts'
import { fileError, inField } from '../../request-errors.ts'
import type { ApiContext } from '../http/api-context.ts'
import { receiveForm } from '../http/forms.ts'
import { validatorOf } from '../../product/validation/validator.ts'
import { prepareImport, saveImportFile, type PreparedImport } from '../../product/imports/prepare-import.ts'
import { saveUpload } from '../../product/imports/save-upload.ts'

/** An upload whose rows are in the catalogue, under the id of the job that it may become. */
export type ImportUpload = {
  key: ImportKey
  input: PreparedImport
  /** For `Idempotency-Key`: a repeated upload is the same request. */
  toJSON: () => unknown
}

const checkFields = validatorOf(StartImportFields, 'body')

/**
 * Reads the form that starts an import. Writes rows to the catalogue as they arrive, where the
 * worker of any machine finds them. Throws ApiError, and leaves nothing behind, if the upload
 * cannot become an import.
 */
export async function receiveImport(
  context: ApiContext,
  { organizationId }: Caller,
  request: FastifyRequest,
): Promise<ImportUpload> {
  const { db, clock } = context
  return saveUpload(db, organizationId, async (key) => {
    const { fields, file } = await receiveForm(request, {
      fileBytesMax: limits.importBytesMax,
      fieldBytesMax: limits.importFieldBytesMax,
      takeFile: (one) => saveImportFile(db, key, { file: one, clock }),
    })
    const settings = fieldsOf(fields)
    if (file === undefined) throw fileError(problem('required'))
    const input = await prepareImport(context, key, { file, settings })
    const { dryRun } = input
    return {
      key,
      input,
      toJSON: () => ({ ...settings, dryRun, fileName: file.fileName, sha256: file.sha256 }),
    }
  })
}

const jsonFields = ['columns', 'repairs'] as const

function fieldsOf({ dryRun, ...fields }: Record<string, string>): StartImportFields {
  const given: Record<string, unknown> = { ...fields }
  if (dryRun !== undefined) given['dryRun'] = dryRun === 'true' ? true : dryRun === 'false' ? false : dryRun
  for (const name of jsonFields) if (fields[name] !== undefined) given[name] = jsonOf(name, fields[name])
  if (given['file'] !== undefined) throw fileError(problem('notFile'))
  checkFields(given)
  return given as StartImportFields
}

function jsonOf(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const found = problem('fieldNotJson')
    throw new ApiError(400, 'VALIDATION_ERROR', inField(name, found), {
      cause,
      details: [{ path: name, ...found }],
    })
  }
}
