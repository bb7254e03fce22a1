import { bin } from '@everscan/contract/endpoints/codes/bin.ts'
import { paginationOf } from '@everscan/contract/schema/pages.ts'
import { listBin, purgeQrCodes, restoreQrCodes } from '../../catalogue/codes/bin.ts'
import { inTransaction } from '../../db/database.ts'
import { qrCodeRecord } from '../../product/records/qr-code-records.ts'
import { timestamp } from '../../product/records/timestamps.ts'
import { batchResult, itemsOfIds, requireAll } from '../../product/codes/batch-results.ts'
import { idsOf } from './batches.ts'
import { ApiError } from '../../errors.ts'
import { Answer, handler } from '../http/handler.ts'
import { pageOf } from '../http/pages.ts'
import { notFound } from '../../request-errors.ts'
import { qrCodeEtag } from '../../product/codes/qr-code-etags.ts'

export const list = handler(bin.list, {
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

export const restore = handler(bin.restore, {
  handle: async ({ db, config, clock }, { origin }, { params: { orgId, id } }) => {
    const row = (await restoreQrCodes(db, orgId, { ids: [id], origin, nowMs: clock() })).get(id)
    if (row === undefined) throw notFound()
    if (row instanceof ApiError) throw row
    return new Answer(qrCodeRecord(row, config.publicUrl), { etag: qrCodeEtag(row, config.publicUrl) })
  },
})

export const restoreMany = handler(bin.restoreMany, {
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

export const purge = handler(bin.purge, {
  handle: async ({ db, clock }, { origin }, { params: { orgId, id } }) => {
    const purged = await purgeQrCodes(db, orgId, { ids: [id], origin, nowMs: clock() })
    if (!purged.has(id)) throw notFound()
    return { id, deleted: true as const }
  },
})

export const purgeMany = handler(bin.purgeMany, {
  handle: async ({ db, clock }, { origin }, { params, query, body }) => {
    const items = itemsOfIds(idsOf(query.ids, body))
    const ids = items.map(({ id }) => id)
    const purged = await purgeQrCodes(db, params.orgId, { ids, origin, nowMs: clock() })
    const outcomes = items.map((item) => ({ item, outcome: purged.has(item.id) ? item.id : notFound() }))
    return batchResult(outcomes, (id) => ({ id, deleted: true as const }))
  },
})
