import { limits } from '../../schema/limits.ts'
import { OrganizationParams, Deleted } from '../../schema/common.ts'
import { ListBinQuery, BinPage, RestoreQrCodes, PurgeQuery } from '../../resources/bin.ts'
import { QrCodeParams, QrCode } from '../../resources/qr-codes.ts'
import { BatchQuery, BatchResult, BatchDelete, BatchDeleteResult } from '../../resources/batches.ts'
import { endpoint } from '../endpoint.ts'
import { etag } from '../headers.ts'

const collection = '/organizations/:orgId/qr-codes/bin'
const one = `${collection}/:id` as const
const changing = { role: 'EDITOR', scope: 'codes:write', tag: 'Bin', status: 200 } as const

export const bin = {
  list: endpoint({
    id: 'listBin',
    method: 'GET',
    path: collection,
    role: 'VIEWER',
    scope: 'codes:read',
    tag: 'Bin',
    summary: 'List the deleted QR codes that can be restored, last deleted first.',
    description: `Codes that were deleted with \`bin=true\` stay here for ${limits.binDays} days.`,
    params: OrganizationParams,
    query: ListBinQuery,
    readsMuch: true,
    status: 200,
    response: BinPage,
  }),

  restore: endpoint({
    ...changing,
    id: 'restoreQrCode',
    method: 'POST',
    path: `${one}/restore`,
    summary: 'Restore a deleted QR code from the bin.',
    description:
      'Its short URL, content, tags, history and scans are as before. If its folder was deleted, it is in no folder. 404 if the code is not in the bin.',
    params: QrCodeParams,
    response: QrCode,
    responseHeaders: etag,
    errors: [409],
  }),

  restoreMany: endpoint({
    ...changing,
    id: 'restoreQrCodes',
    method: 'POST',
    path: `${collection}/restore`,
    summary: 'Restore many deleted QR codes from the bin.',
    description: `At most ${limits.batchMax} codes; \`errors\` lists those that are not in the bin.`,
    params: OrganizationParams,
    query: BatchQuery,
    body: RestoreQrCodes,
    response: BatchResult,
    errors: [422],
  }),

  purge: endpoint({
    ...changing,
    id: 'purgeQrCode',
    method: 'DELETE',
    repeatable: false,
    path: one,
    summary: 'Delete a QR code in the bin permanently.',
    description: 'Its short URL is never reused. 404 if the code is not in the bin.',
    params: QrCodeParams,
    response: Deleted,
  }),

  purgeMany: endpoint({
    ...changing,
    id: 'purgeQrCodes',
    method: 'DELETE',
    repeatable: false,
    path: collection,
    summary: 'Delete many QR codes in the bin permanently.',
    description: `Send the ids either in the body or in the query. At most ${limits.batchMax} codes; \`errors\` lists those that are not in the bin.`,
    params: OrganizationParams,
    query: PurgeQuery,
    body: BatchDelete,
    bodyOptional: true,
    response: BatchDeleteResult,
  }),
}
