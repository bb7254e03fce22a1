import { AnalyticsQuery, QrCodeAnalytics } from '@everscan/contract/analytics.ts'
import { QrCodeParams } from '@everscan/contract/qr-codes.ts'
import { readPeriod } from '../analytics/period.ts'
import { qrCodeAnalytics } from '../analytics/queries.ts'
import { readQrCode } from '../catalogue/qr-codes.ts'
import { endpoint } from './endpoint.ts'
import { notFound } from './request-errors.ts'

export const ofQrCode = endpoint({
  id: 'readQrCodeAnalytics',
  method: 'GET',
  path: '/organizations/:orgId/qr-codes/:id/analytics',
  role: 'VIEWER',
  tag: 'Analytics',
  summary: 'The scans of one QR code over a period.',
  description:
    'The last 30 days with today, by day, in UTC, unless asked otherwise. With filters, every figure is of the scans that match.',
  params: QrCodeParams,
  query: AnalyticsQuery,
  status: 200,
  response: QrCodeAnalytics,
  handle: async ({ db, store, clock }, _caller, { params, query }) => {
    const { startDate, endDate, timezone, interval = 'day', ...filters } = query
    const period = readPeriod({ startDate, endDate, timezone }, clock())
    const row = await readQrCode(db, { organizationId: params.orgId, id: params.id })
    if (row === undefined) throw notFound()
    const { organizationId, id: qrCodeId } = row
    return await qrCodeAnalytics(store, { organizationId, qrCodeId, interval, filters, ...period })
  },
})
