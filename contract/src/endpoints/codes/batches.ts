import {
  BatchCreate,
  BatchResult,
  BatchUpdateQuery,
  BatchUpdate,
  BatchUpdateResult,
  BatchReadQuery,
  BatchReadResult,
  BatchClone,
  BatchDeleteQuery,
  BatchDelete,
  BatchDeleteResult,
  BatchQuery,
} from '../../resources/batches.ts'
import { limits } from '../../schema/limits.ts'
import { OrganizationParams } from '../../schema/common.ts'
import { endpoint } from '../endpoint.ts'
import { idempotencyKey, replayed } from '../headers.ts'

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
  requestHeaders: idempotencyKey,
  responseHeaders: replayed,
} as const
const each = `At most ${limits.batchMax} items. Valid items succeed even if others fail; \`errors\` lists the failed ones.`

export const batches = {
  create: endpoint({
    ...creating,
    id: 'batchCreateQrCodes',
    method: 'POST',
    path: collection,
    summary: 'Create many QR codes.',
    description: each,
    body: BatchCreate,
    bodyBytesMax: limits.batchBodyBytesMax,
    status: 201,
    createdNothing: ({ successCount }) => successCount === 0,
    response: BatchResult,
  }),

  update: endpoint({
    ...creating,
    id: 'batchUpdateQrCodes',
    call: 'byHand',
    method: 'POST',
    path: `${collection}/update`,
    summary: 'Update many QR codes.',
    description: `Either in the same way, with \`ids\` and \`updates\`, or each in its own way, with \`changes\`. Accepts every field of an update, plus tags to add and remove. Fields that stay the same change nothing. ${each}`,
    query: BatchUpdateQuery,
    body: BatchUpdate,
    bodyBytesMax: limits.batchBodyBytesMax,
    status: 200,
    response: BatchUpdateResult,
  }),

  read: endpoint({
    id: 'batchReadQrCodes',
    method: 'GET',
    path: collection,
    role: 'VIEWER',
    scope: 'codes:read',
    tag: 'Batches',
    summary: 'Read many QR codes with their ETags.',
    description: `At most ${limits.batchReadMax} codes, by id or by short code, first those of \`ids\`. A code that is named twice counts once. \`errors\` lists the ones that do not exist.`,
    params: OrganizationParams,
    query: BatchReadQuery,
    status: 200,
    response: BatchReadResult,
  }),

  clone: endpoint({
    ...creating,
    id: 'batchCloneQrCodes',
    method: 'POST',
    path: `${collection}/clone`,
    summary: 'Clone many QR codes.',
    description: `Each clone has its own short code and no scans. ${each}`,
    body: BatchClone,
    status: 201,
    createdNothing: ({ successCount }) => successCount === 0,
    response: BatchResult,
  }),

  remove: endpoint({
    ...common,
    id: 'batchDeleteQrCodes',
    method: 'DELETE',
    repeatable: false,
    path: collection,
    summary: 'Delete many QR codes.',
    description: `Final, except with \`bin=true\`: the codes can then be restored for ${limits.binDays} days. Send the ids either in the body or in the query. ${each}`,
    query: BatchDeleteQuery,
    body: BatchDelete,
    bodyOptional: true,
    status: 200,
    response: BatchDeleteResult,
  }),
}
