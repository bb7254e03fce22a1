import { problem } from '@everscan/contract/problems/problem.ts'
import { StartMoveFields } from '@everscan/contract/moves/moves.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { FastifyRequest } from 'fastify'
import type { ImportKey } from '../../catalogue/rows/import-row.ts'
import type { MoveInput } from '../../catalogue/rows/import-row.ts'
import type { ApiContext } from '../http/api-context.ts'
import { receiveForm } from '../http/forms.ts'
import type { Caller } from '../../catalogue/organizations/callers.ts'
import { validatorOf } from '../../product/validation/validator.ts'
import { fileError, validationError } from '../../request-errors.ts'
import { saveUpload } from '../../product/imports/save-upload.ts'
import { prepareMove, saveExport } from '../../product/imports/moves/prepare-move.ts'
import { saveVisits } from '../../product/imports/moves/save-visits.ts'

/** An upload whose rows are in the catalogue, under the id of the job that it may become. */
export type MoveUpload = {
  key: ImportKey
  input: Omit<MoveInput, 'origin'>
  /** For `Idempotency-Key`: a repeated upload is the same request. */
  toJSON: () => unknown
}

const checkFields = validatorOf(StartMoveFields, 'body')

/**
 * Reads the form that starts a move. Throws ApiError, and leaves nothing behind, if the upload
 * cannot become a move.
 */
export async function receiveMove(
  { db, config, clock, work }: ApiContext,
  { organizationId }: Caller,
  request: FastifyRequest,
): Promise<MoveUpload> {
  return saveUpload(db, organizationId, async (key) => {
    const received = await receiveForm(request, {
      fileBytesMax: limits.moveBytesMax,
      takeFile: async (one) => saveExport(db, key, one, clock),
      second: { field: 'visits', take: async (one) => saveVisits(db, key, one, clock) },
    })
    const { fields: given, file, second: visits } = received
    const fields = fieldsOf(given)
    if (file === undefined) throw fileError(problem('required'))
    const { publicUrl } = config
    const input = await prepareMove(db, key, file, { fields, visits, publicUrl, work, clock })
    const { fileName, sha256 } = file
    const sent = { ...fields, mapping: input.mapping, fileName, sha256 }
    return { key, input, toJSON: () => ({ ...sent, ...(visits && { visits: visits.sha256 }) }) }
  })
}

/** A form has texts only. */
const truths: Readonly<Record<string, boolean>> = { true: true, false: false }

function fieldsOf(fields: Record<string, string>): StartMoveFields {
  const given: Record<string, unknown> = { ...fields }
  for (const name of ['dryRun', 'resolve']) {
    const text = fields[name]
    if (text !== undefined) given[name] = truths[text] ?? text
  }
  if (given['file'] !== undefined) throw fileError(problem('notFile'))
  if (given['visits'] !== undefined) throw validationError([{ path: 'visits', ...problem('notFile') }])
  checkFields(given)
  return given as StartMoveFields
}
