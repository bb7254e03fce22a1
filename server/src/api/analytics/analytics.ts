import {
  AnalyticsExportQuery,
  AnalyticsQuery,
  analyticsExportColumns,
  OrganizationAnalytics,
  QrCodeAnalytics,
} from '@everscan/contract/resources/analytics.ts'
import { OrganizationParams } from '@everscan/contract/schema/common.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { QrCodeParams } from '@everscan/contract/resources/qr-codes.ts'
import { readPeriod } from '../../analytics/figures/period.ts'
import {
  mostScannedQrCodes,
  organizationAnalytics,
  qrCodeAnalytics,
} from '../../analytics/figures/queries.ts'
import { exportScans } from '../../analytics/figures/scan-export.ts'
import type { ScanScope } from '../../analytics/figures/scan-scope.ts'
import { countQrCodes } from '../../catalogue/codes/qr-code-lists.ts'
import { readQrCodeNames, type QrCodeName } from '../../catalogue/codes/qr-code-names.ts'
import { readQrCode } from '../../catalogue/codes/qr-codes.ts'
import { readAnalyticsMarks } from './marks.ts'
import { Answer, endpoint } from '../http/endpoint.ts'
import type { ApiContext } from '../http/api-context.ts'
import { contentDisposition } from '../../file-names.ts'
import { notFound } from '../http/request-errors.ts'
import { streamOf } from '../http/bodies/streams.ts'

const tag = 'Analytics'
const defaults =
  'By default the last 30 days including today, by day, in UTC. With filters, every figure counts only the matching scans.'

export const ofQrCode = endpoint({
  id: 'readQrCodeAnalytics',
  method: 'GET',
  path: '/organizations/:orgId/qr-codes/:id/analytics',
  role: 'VIEWER',
  scope: 'analytics:read',
  tag,
  summary: 'Read the analytics of a QR code over a period.',
  description: defaults,
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
    const figures = await qrCodeAnalytics(store, { organizationId, qrCodeId, interval, filters, ...period })
    return { ...figures, marks: await readAnalyticsMarks(db, period) }
  },
})

export const ofOrganization = endpoint({
  id: 'readOrganizationAnalytics',
  method: 'GET',
  path: '/organizations/:orgId/qr-codes/analytics',
  role: 'VIEWER',
  scope: 'analytics:read',
  tag,
  summary: 'Read the analytics of all QR codes of the organization over a period.',
  description: `${defaults} The figures include scans of deleted codes; only \`topQrCodes\` omits such codes.`,
  params: OrganizationParams,
  query: AnalyticsQuery,
  status: 200,
  response: OrganizationAnalytics,
  handle: async ({ db, store, clock }, _caller, { params, query }) => {
    const { startDate, endDate, timezone, interval = 'day', ...filters } = query
    const period = readPeriod({ startDate, endDate, timezone }, clock())
    const scope = { organizationId: params.orgId, filters, ...period }
    const names = await topQrCodeNames({ db, store }, scope)
    const topQrCodes = [...names.keys()]
    const figures = await organizationAnalytics(store, { ...scope, interval, topQrCodes })
    const totalQrCodes = await countQrCodes(db, params.orgId, {})
    const activeQrCodes = await countQrCodes(db, params.orgId, { status: 'ACTIVE' })
    return {
      organizationId: params.orgId,
      ...figures,
      summary: { ...figures.summary, totalQrCodes, activeQrCodes },
      marks: await readAnalyticsMarks(db, period),
      topQrCodes: figures.topQrCodes.flatMap((code) => {
        const name = names.get(code.qrCodeId)
        return name === undefined ? [] : [{ ...name, ...code }]
      }),
    }
  },
})

export const exportOfQrCode = endpoint({
  id: 'exportQrCodeAnalytics',
  method: 'GET',
  path: '/organizations/:orgId/qr-codes/:id/analytics/export',
  role: 'VIEWER',
  scope: 'analytics:read',
  tag,
  summary: 'Export the scans of a QR code over a period as CSV, one per line, oldest first.',
  description: `The columns are ${analyticsExportColumns.join(', ')}. The rows are exactly the scans that the analytics of the same period and filters count. By default the last 30 days including today. A cell that a spreadsheet would run as a formula starts with an apostrophe. Streamed: a response that breaks off is incomplete.`,
  params: QrCodeParams,
  query: AnalyticsExportQuery,
  takes: 'downloads',
  status: 200,
  produces: ['text/csv'],
  responseHeaders: { 'Content-Disposition': "A file name derived from the code's name." },
  handle: async ({ db, store, clock }, _caller, { params, query }) => {
    const { startDate, endDate, timezone, ...filters } = query
    const period = readPeriod({ startDate, endDate, timezone }, clock())
    const row = await readQrCode(db, { organizationId: params.orgId, id: params.id })
    if (row === undefined) throw notFound()
    const { organizationId, id: qrCodeId } = row
    const pieces = exportScans(store, { organizationId, qrCodeId, filters, ...period })
    return new Answer(await streamOf(pieces), {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': contentDisposition('attachment', `${row.name} scans`, 'csv'),
    })
  },
})

/**
 * The most scanned codes that still exist, highest first. If deleted codes displace them from the
 * first page, the next pages are read too.
 */
async function topQrCodeNames(
  { db, store }: Pick<ApiContext, 'db' | 'store'>,
  scope: ScanScope,
): Promise<Map<string, QrCodeName>> {
  const found = new Map<string, QrCodeName>()
  let limit: number = limits.topQrCodes
  for (let offset = 0; ;) {
    const ids = await mostScannedQrCodes(store, scope, { limit, offset })
    const names = await readQrCodeNames(db, scope.organizationId, ids)
    for (const id of ids) {
      const name = names.get(id)
      if (name !== undefined && found.size < limits.topQrCodes) found.set(id, name)
    }
    if (found.size === limits.topQrCodes || ids.length < limit) return found
    offset += limit
    limit = 500
  }
}
