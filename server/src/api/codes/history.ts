import { qrCodeHistory } from '@everscan/contract/endpoints/codes/history.ts'
import { paginationOf } from '@everscan/contract/schema/pages.ts'
import { listQrCodeVersions } from '../../catalogue/codes/qr-code-history.ts'
import { readQrCode } from '../../catalogue/codes/qr-codes.ts'
import { Answer, handler } from '../http/handler.ts'
import { pageOf } from '../http/pages.ts'
import { rollBackQrCode } from '../../product/codes/changes.ts'
import { qrCodeEtag } from '../../product/codes/qr-code-etags.ts'
import { limitExcessRecords, qrCodeRecord } from '../../product/records/qr-code-records.ts'
import { notFound } from '../../request-errors.ts'
import { timestamp } from '../../product/records/timestamps.ts'

export const list = handler(qrCodeHistory.list, {
  handle: async ({ db }, _caller, { params, query }) => {
    const code = await readQrCode(db, { organizationId: params.orgId, id: params.id })
    if (code === undefined) throw notFound()
    const page = pageOf(query)
    const { rows, total } = await listQrCodeVersions(db, code, page)
    const data = rows.map(({ changed, changedAtMs, ...row }) => ({
      ...row,
      changed: [...changed],
      changedAt: timestamp(changedAtMs),
    }))
    return { data, pagination: paginationOf(total, page), limitExcesses: limitExcessRecords(code) }
  },
})

export const rollBack = handler(qrCodeHistory.rollBack, {
  handle: async (context, { origin }, { params, body, headers }) => {
    const key = { organizationId: params.orgId, id: params.id }
    const how = { version: body.version, origin, ifMatch: headers['if-match'] }
    const row = await rollBackQrCode(context, key, how)
    if (row === undefined) throw notFound()
    const { publicUrl } = context.config
    return new Answer(qrCodeRecord(row, publicUrl), { etag: qrCodeEtag(row, publicUrl) })
  },
})
