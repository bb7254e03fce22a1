import { scans as endpoints } from '@everscan/contract/endpoints/analytics/scans.ts'
import { paginationOf } from '@everscan/contract/schema/pages.ts'
import { readPeriod } from '../../analytics/figures/period.ts'
import { readQrCode } from '../../catalogue/codes/qr-codes.ts'
import { handler } from '../http/handler.ts'
import { pageOf } from '../http/pages.ts'
import { notFound } from '../../request-errors.ts'

export const list = handler(endpoints.list, {
  handle: async ({ db, store, clock }, _caller, { params, query }) => {
    const {
      page: _page,
      limit: _limit,
      includeBots = false,
      startDate,
      endDate,
      timezone,
      ...filters
    } = query
    const period = readPeriod({ startDate, endDate, timezone }, clock())
    const row = await readQrCode(db, { organizationId: params.orgId, id: params.id })
    if (row === undefined) throw notFound()
    const { organizationId, id: qrCodeId } = row
    const page = pageOf(query)
    const scope = { organizationId, qrCodeId, filters, ...period }
    const { scans, total } = await store.listScans({ ...scope, ...page, includeBots })
    return { data: scans, pagination: paginationOf(total, page) }
  },
})
