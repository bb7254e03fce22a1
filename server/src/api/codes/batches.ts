import {
  BatchClone,
  BatchCreate,
  BatchDelete,
  BatchDeleteQuery,
  BatchDeleteResult,
  BatchQuery,
  BatchResult,
  BatchUpdate,
} from '@everscan/contract/resources/batches.ts'
import { OrganizationParams } from '@everscan/contract/schema/common.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { CreateQrCode } from '@everscan/contract/resources/qr-codes.ts'
import type { QrCodeRow } from '../../catalogue/rows/qr-code-row.ts'
import type { NewQrCode } from '../../catalogue/codes/qr-codes.ts'
import { inTransaction } from '../../db/database.ts'
import { changeQrCodes, cloneDrafts, makeQrCodes } from './batch-changes.ts'
import {
  attempt,
  batchResult,
  itemsOfIds,
  requireAll,
  requireBatchSize,
  type BatchOutcome,
} from '../http/batch-results.ts'
import { endpoint } from '../http/endpoint.ts'
import type { ApiContext } from '../http/api-context.ts'
import { binEndMs, deletedRecord } from './deleted-records.ts'
import { newQrCode } from './new-qr-codes.ts'
import { qrCodeRecord } from '../../records/qr-code-records.ts'
import { notFound, validationError } from '../http/request-errors.ts'
import { styleLookup } from '../styles/saved-styles.ts'
import { validatorOf } from '../http/validation.ts'
import { deleteQrCodes } from '../../catalogue/codes/qr-code-deletion.ts'

const collection = '/organizations/:orgId/qr-codes/batch'
const common = {
  role: 'EDITOR',
  scope: 'codes:write',
  tag: 'Batches',
  params: OrganizationParams,
  query: BatchQuery,
  errors: [422],
} as const
const creating = {
  ...common,
  idempotent: true,
  requestHeaders: {
    'Idempotency-Key': 'Any text; a repeat within 24 hours returns the first response.',
  },
  responseHeaders: { 'Idempotent-Replayed': 'true if this repeats the first response.' },
} as const
const each = `At most ${limits.batchMax} items. Valid items succeed even if others fail; \`errors\` lists the failed ones.`

export const create = endpoint({
  ...creating,
  id: 'batchCreateQrCodes',
  method: 'POST',
  path: collection,
  summary: 'Create many QR codes.',
  description: each,
  body: BatchCreate,
  bodyBytesMax: limits.batchBodyBytesMax,
  status: 201,
  response: BatchResult,
  prepare: async (request, { origin }, { params, body }) => {
    requireBatchSize(body.qrCodes.length, 'qrCodes')
    const context = withoutSuggestions(request)
    const styleOf = styleLookup(context.db, params.orgId)
    const drafts: BatchOutcome<NewQrCode>[] = []
    for (const [index, fields] of body.qrCodes.entries())
      drafts.push({
        item: { name: { index }, path: `qrCodes[${index}]` },
        outcome: await attempt(async () => {
          requireCreateQrCode(fields)
          return newQrCode(fields, context, { styleOf, origin })
        }),
      })
    return drafts
  },
  handle: async (context, _caller, { params, query }, drafts) =>
    answer(await makeQrCodes(context.db, params.orgId, { drafts, atomic: query.atomic === true }), context),
})

export const update = endpoint({
  ...common,
  id: 'batchUpdateQrCodes',
  method: 'POST',
  path: `${collection}/update`,
  summary: 'Update many QR codes in the same way.',
  description: `Accepts every field of an update, plus tags to add and remove. ${each}`,
  body: BatchUpdate,
  status: 200,
  response: BatchResult,
  handle: async (context, { origin }, { params, query, body }) => {
    const items = itemsOfIds(body.ids)
    const work = { items, updates: body.updates, origin, atomic: query.atomic === true }
    return answer(await changeQrCodes(withoutSuggestions(context), params.orgId, work), context)
  },
})

export const clone = endpoint({
  ...creating,
  id: 'batchCloneQrCodes',
  method: 'POST',
  path: `${collection}/clone`,
  summary: 'Clone many QR codes.',
  description: `Each clone has its own short code and no scans. ${each}`,
  body: BatchClone,
  status: 201,
  response: BatchResult,
  prepare: (context, { origin }, { params, body: { ids, ...how } }) =>
    cloneDrafts(withoutSuggestions(context), params.orgId, { items: itemsOfIds(ids), clone: how, origin }),
  handle: async (context, _caller, { params, query }, drafts) =>
    answer(await makeQrCodes(context.db, params.orgId, { drafts, atomic: query.atomic === true }), context),
})

export const remove = endpoint({
  ...common,
  id: 'batchDeleteQrCodes',
  method: 'DELETE',
  path: collection,
  summary: 'Delete many QR codes.',
  description: `Final, except with \`bin=true\`: the codes can then be restored for ${limits.binDays} days. Send the ids either in the body or in the query. ${each}`,
  query: BatchDeleteQuery,
  body: BatchDelete,
  bodyOptional: true,
  status: 200,
  response: BatchDeleteResult,
  handle: async ({ db, clock }, { origin }, { params, query, body }) => {
    const items = itemsOfIds(idsOf(query.ids, body))
    const ids = items.map(({ id }) => id)
    const nowMs = clock()
    const restorableUntilMs = query.bin === true ? binEndMs(nowMs) : undefined
    const outcomes = await inTransaction(db, async (tx) => {
      const deleted = await deleteQrCodes(tx, params.orgId, { ids, origin, nowMs, restorableUntilMs })
      const found = items.map((item) => ({ item, outcome: deleted.has(item.id) ? item.id : notFound() }))
      if (query.atomic === true) requireAll(found)
      return found
    })
    return batchResult(outcomes, (id) => deletedRecord(id, restorableUntilMs))
  },
})

const validateCreateQrCode = validatorOf(CreateQrCode, 'body')

function requireCreateQrCode(fields: unknown): asserts fields is CreateQrCode {
  validateCreateQrCode(fields)
}

/** Returns the ids of a DELETE, which are either in its query or in its body. */
export function idsOf(inQuery: string | undefined, body: BatchDelete | null | undefined): readonly string[] {
  const inBody = body?.ids
  if ((inQuery === undefined) === (inBody === undefined))
    throw validationError([{ path: 'ids', message: 'must be either in the body or in the query' }])
  const ids = inBody ?? inQuery?.split(',').map((id) => id.trim()) ?? []
  const given = ids.filter((id) => id !== '')
  if (given.length === 0) throw validationError([{ path: 'ids', message: 'must not be empty' }])
  return given
}

/** A search for the nearest accepted change per item would take minutes. */
function withoutSuggestions(context: ApiContext): ApiContext {
  return { ...context, work: { ...context.work, suggests: false } }
}

function answer(outcomes: readonly BatchOutcome<QrCodeRow>[], { config }: ApiContext) {
  return batchResult(outcomes, (row) => qrCodeRecord(row, config.publicUrl))
}
