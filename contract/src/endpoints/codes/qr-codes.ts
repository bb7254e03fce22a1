import { OrganizationParams } from '../../schema/common.ts'
import {
  CreateQrCode,
  QrCode,
  ListQrCodesQuery,
  QrCodePage,
  QrCodeParams,
  DeleteQrCodeQuery,
  DeletedQrCode,
  UpdateQrCode,
} from '../../resources/qr-codes.ts'
import { limits } from '../../schema/limits.ts'
import { endpoint } from '../endpoint.ts'
import { idempotencyKey, replayed, location, etag, ifMatch } from '../headers.ts'

const tag = 'QR codes'
const collection = '/organizations/:orgId/qr-codes'
const one = `${collection}/:id` as const
const updating = {
  path: one,
  role: 'EDITOR',
  scope: 'codes:write',
  tag,
  summary: 'Update a QR code.',
  description:
    'Partial: fields that are not sent stay unchanged. `data` is replaced as a whole and must match the type of the code; `rules` too, and a rule keeps its id if it is sent back; `style`, `metadata` and `access` merge by key, and null removes a key.',
  params: QrCodeParams,
  body: UpdateQrCode,
  status: 200,
  response: QrCode,
  responseHeaders: etag,
  requestHeaders: ifMatch,
  errors: [409, 412, 422],
} as const

export const qrCodes = {
  create: endpoint({
    id: 'createQrCode',
    method: 'POST',
    path: collection,
    role: 'EDITOR',
    scope: 'codes:write',
    tag,
    summary: 'Create a QR code.',
    params: OrganizationParams,
    body: CreateQrCode,
    idempotent: true,
    requestHeaders: idempotencyKey,
    status: 201,
    response: QrCode,
    responseHeaders: {
      ...etag,
      ...location,
      ...replayed,
    },
    errors: [409, 422],
  }),

  list: endpoint({
    id: 'listQrCodes',
    method: 'GET',
    path: collection,
    role: 'VIEWER',
    scope: 'codes:read',
    tag,
    summary: 'List the QR codes of the organization, newest first by default.',
    params: OrganizationParams,
    query: ListQrCodesQuery,
    readsMuch: true,
    status: 200,
    response: QrCodePage,
  }),

  read: endpoint({
    id: 'readQrCode',
    method: 'GET',
    path: one,
    role: 'VIEWER',
    scope: 'codes:read',
    tag,
    summary: 'Read a QR code.',
    params: QrCodeParams,
    status: 200,
    response: QrCode,
    responseHeaders: etag,
  }),

  update: endpoint({
    ...updating,
    id: 'updateQrCode',
    method: 'PUT',
  }),

  patch: endpoint({
    ...updating,
    id: 'patchQrCode',
    call: 'byHand',
    method: 'PATCH',
  }),

  remove: endpoint({
    id: 'deleteQrCode',
    method: 'DELETE',
    path: one,
    role: 'EDITOR',
    scope: 'codes:write',
    tag,
    summary: 'Delete a QR code.',
    description: `Its short URL stops working and is never reused. The deletion is final, except with \`bin=true\`: the code can then be restored for ${limits.binDays} days. A code that waits is deleted for good.`,
    params: QrCodeParams,
    query: DeleteQrCodeQuery,
    status: 200,
    response: DeletedQrCode,
    requestHeaders: ifMatch,
    errors: [412],
  }),
}
