import { BinPage, ListBinQuery, PurgeQuery, RestoreQrCodes } from '@everscan/contract/resources/bin.ts'
import {
  BatchDelete,
  BatchDeleteResult,
  BatchQuery,
  BatchResult,
} from '@everscan/contract/resources/batches.ts'
import { Deleted, OrganizationParams } from '@everscan/contract/schema/common.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { paginationOf } from '@everscan/contract/schema/pages.ts'
import { QrCode, QrCodeParams } from '@everscan/contract/resources/qr-codes.ts'
import { listBin, purgeQrCodes, restoreQrCodes } from '../../catalogue/codes/bin.ts'
import { inTransaction } from '../../db/database.ts'
import { qrCodeRecord } from '../../product/records/qr-code-records.ts'
import { timestamp } from '../../product/records/timestamps.ts'
import { batchResult, itemsOfIds, requireAll } from '../../product/codes/batch-results.ts'
import { idsOf } from './batches.ts'
import { ApiError } from '../../errors.ts'
import { Answer, endpoint } from '../http/endpoint.ts'
import { pageOf } from '../http/pages.ts'
import { notFound } from '../../request-errors.ts'
import { qrCodeEtag } from '../../product/codes/qr-code-etags.ts'

const bin = '/organizations/:orgId/qr-codes/bin'
const one = `${bin}/:id` as const
const changing = { role: 'EDITOR', scope: 'codes:write', tag: 'Bin', status: 200 } as const

export const list = endpoint({
  id: 'listBin',
  method: 'GET',
  path: bin,
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
  handle: async ({ db, config, clock }, _caller, { params, query }) => {
    const page = pageOf(query)
    const { rows, total } = await listBin(db, params.orgId, { ...query, ...page, nowMs: clock() })
    const data = rows.map((row) => ({
      ...qrCodeRecord(row.code, config.publicUrl),
      deletedAt: timestamp(row.deletedAtMs),
      deletedBy: row.deletedBy,
      restorableUntil: timestamp(row.restorableUntilMs),
    }))
    return { data, pagination: paginationOf(total, page) }
  },
})

export const restore = endpoint({
  ...changing,
  id: 'restoreQrCode',
  method: 'POST',
  path: `${one}/restore`,
  summary: 'Restore a deleted QR code from the bin.',
  description:
    'Its short URL, content, tags, history and scans are as before. If its folder was deleted, it is in no folder. 404 if the code is not in the bin.',
  params: QrCodeParams,
  response: QrCode,
  responseHeaders: { ETag: 'Identifies this version of the record, for If-Match.' },
  errors: [409],
  handle: async ({ db, config, clock }, { origin }, { params: { orgId, id } }) => {
    const row = (await restoreQrCodes(db, orgId, { ids: [id], origin, nowMs: clock() })).get(id)
    if (row === undefined) throw notFound()
    if (row instanceof ApiError) throw row
    return new Answer(qrCodeRecord(row, config.publicUrl), { etag: qrCodeEtag(row, config.publicUrl) })
  },
})

export const restoreMany = endpoint({
  ...changing,
  id: 'restoreQrCodes',
  method: 'POST',
  path: `${bin}/restore`,
  summary: 'Restore many deleted QR codes from the bin.',
  description: `At most ${limits.batchMax} codes; \`errors\` lists those that are not in the bin.`,
  params: OrganizationParams,
  query: BatchQuery,
  body: RestoreQrCodes,
  response: BatchResult,
  errors: [422],
  handle: async ({ db, config, clock }, { origin }, { params, query, body }) => {
    const items = itemsOfIds(body.ids)
    const ids = items.map(({ id }) => id)
    const outcomes = await inTransaction(db, async (tx) => {
      const restored = await restoreQrCodes(tx, params.orgId, { ids, origin, nowMs: clock() })
      const found = items.map((item) => ({ item, outcome: restored.get(item.id) ?? notFound() }))
      if (query.atomic === true) requireAll(found)
      return found
    })
    return batchResult(outcomes, (row) => qrCodeRecord(row, config.publicUrl))
  },
})

export const purge = endpoint({
  ...changing,
  id: 'purgeQrCode',
  method: 'DELETE',
  path: one,
  summary: 'Delete a QR code in the bin permanently.',
  description: 'Its short URL is never reused. 404 if the code is not in the bin.',
  params: QrCodeParams,
  response: Deleted,
  handle: async ({ db, clock }, { origin }, { params: { orgId, id } }) => {
    const purged = await purgeQrCodes(db, orgId, { ids: [id], origin, nowMs: clock() })
    if (!purged.has(id)) throw notFound()
    return { id, deleted: true as const }
  },
})

export const purgeMany = endpoint({
  ...changing,
  id: 'purgeQrCodes',
  method: 'DELETE',
  path: bin,
  summary: 'Delete many QR codes in the bin permanently.',
  description: `Send the ids either in the body or in the query. At most ${limits.batchMax} codes; \`errors\` lists those that are not in the bin.`,
  params: OrganizationParams,
  query: PurgeQuery,
  body: BatchDelete,
  bodyOptional: true,
  response: BatchDeleteResult,
  handle: async ({ db, clock }, { origin }, { params, query, body }) => {
    const items = itemsOfIds(idsOf(query.ids, body))
    const ids = items.map(({ id }) => id)
    const purged = await purgeQrCodes(db, params.orgId, { ids, origin, nowMs: clock() })
    const outcomes = items.map((item) => ({ item, outcome: purged.has(item.id) ? item.id : notFound() }))
    return batchResult(outcomes, (id) => ({ id, deleted: true as const }))
  },
})
