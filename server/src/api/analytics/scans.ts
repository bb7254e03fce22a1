import { paginationOf } from '@everscan/contract/schema/pages.ts'
import { QrCodeParams } from '@everscan/contract/resources/qr-codes.ts'
import { ListScansQuery, ScanPage } from '@everscan/contract/resources/scans.ts'
import { readPeriod } from '../../analytics/figures/period.ts'
import { listScans } from '../../analytics/figures/scan-lists.ts'
import { readQrCode } from '../../catalogue/codes/qr-codes.ts'
import { endpoint } from '../http/endpoint.ts'
import { pageOf } from '../http/pages.ts'
import { notFound } from '../../request-errors.ts'

export const list = endpoint({
  id: 'listScans',
  method: 'GET',
  path: '/organizations/:orgId/qr-codes/:id/scans',
  role: 'VIEWER',
  scope: 'analytics:read',
  tag: 'Analytics',
  summary: 'List the individual scans of a QR code over a period, newest first.',
  description: 'By default the last 30 days including today. Includes bots only with `includeBots`.',
  params: QrCodeParams,
  query: ListScansQuery,
  status: 200,
  response: ScanPage,
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
    const { scans, total } = await listScans(store, { ...scope, ...page, includeBots })
    return { data: scans, pagination: paginationOf(total, page) }
  },
})
