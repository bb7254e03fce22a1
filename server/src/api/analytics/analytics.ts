import {
  AnalyticsExportQuery,
  AnalyticsQuery,
  analyticsExportColumns,
  figuresCsvColumns,
  OrganizationAnalytics,
  OrganizationAnalyticsQuery,
  OrganizationExportQuery,
  organizationExportColumns,
  QrCodeAnalytics,
} from '@everscan/contract/resources/analytics.ts'
import { OrganizationParams } from '@everscan/contract/schema/common.ts'
import { QrCodeParams } from '@everscan/contract/resources/qr-codes.ts'
import { readPeriod } from '../../analytics/figures/period.ts'
import { exportScans, exportScansOfCodes } from '../../analytics/figures/scan-export.ts'
import { readQrCode } from '../../catalogue/codes/qr-codes.ts'
import {
  isSelection,
  readExportedQrCodes,
  readSelectedQrCodes,
} from '../../catalogue/codes/selected-codes.ts'
import { figuresCsv } from '../../product/figures/figures-csv.ts'
import { readOrganizationFigures, readQrCodeFigures } from '../../product/figures/read-figures.ts'
import { splitSelection } from '../../product/figures/selections.ts'
import { Answer, endpoint, OtherForm } from '../http/endpoint.ts'
import { csvType } from '../../files/write-csv.ts'
import { contentDisposition } from '../../files/file-names.ts'
import { notFound } from '../../request-errors.ts'
import { streamOf } from '../../files/streams.ts'

const tag = 'Analytics'
const defaults = `By default the last 30 days including today, by day, in UTC. With filters, every figure counts only the matching scans. With \`format=csv\`, the columns are ${figuresCsvColumns.join(', ')}.`
export const selectionWords =
  '`folderId`, `tag`, `type` and `ids` together select codes; scans of deleted codes count only without them.'
const exportWords =
  'The rows are exactly the scans that the analytics of the same parameters count. By default the last 30 days including today. A cell that a spreadsheet would run as a formula starts with an apostrophe. Streamed: a response that breaks off is incomplete.'

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
  alsoProduces: ['text/csv'],
  handle: async ({ db, store, clock }, _caller, { params, query: { format, ...query } }) => {
    const key = { organizationId: params.orgId, id: params.id }
    const found = await readQrCodeFigures({ db, store }, key, { query, nowMs: clock() })
    if (found === undefined) throw notFound()
    return format === 'csv' ? csvOf(found.figures, found.row.name) : found.figures
  },
})

export const ofOrganization = endpoint({
  id: 'readOrganizationAnalytics',
  method: 'GET',
  path: '/organizations/:orgId/qr-codes/analytics',
  role: 'VIEWER',
  scope: 'analytics:read',
  tag,
  summary: 'Read the analytics of all QR codes of the organization, or of some, over a period.',
  description: `${defaults} ${selectionWords} \`topQrCodes\` omits deleted codes.`,
  params: OrganizationParams,
  query: OrganizationAnalyticsQuery,
  readsMuch: true,
  status: 200,
  response: OrganizationAnalytics,
  alsoProduces: ['text/csv'],
  handle: async ({ db, store, clock }, _caller, { params, query: { format, ...query } }) => {
    const figures = await readOrganizationFigures({ db, store }, params.orgId, { query, nowMs: clock() })
    return format === 'csv' ? csvOf(figures, 'analytics') : figures
  },
})

export const exportOfOrganization = endpoint({
  id: 'exportOrganizationAnalytics',
  method: 'GET',
  path: '/organizations/:orgId/qr-codes/analytics/export',
  role: 'VIEWER',
  scope: 'analytics:read',
  tag,
  summary: 'Export the scans of all QR codes of the organization, or of some, over a period as CSV.',
  description: `The columns are ${organizationExportColumns.join(', ')}. One scan per line, code by code, those of a code oldest first. ${selectionWords} The name of a deleted code is empty. ${exportWords}`,
  params: OrganizationParams,
  query: OrganizationExportQuery,
  takes: 'downloads',
  status: 200,
  produces: ['text/csv'],
  responseHeaders: { 'Content-Disposition': 'A file name.' },
  handle: async ({ db, store, clock }, _caller, { params, query }) => {
    const { selected, rest } = splitSelection(query)
    const { startDate, endDate, timezone, ...filters } = rest
    const period = readPeriod({ startDate, endDate, timezone }, clock())
    const organizationId = params.orgId
    const codes = isSelection(selected) ? await readSelectedQrCodes(db, organizationId, selected) : undefined
    const pieces = exportScansOfCodes(
      store,
      { organizationId, filters, ...period },
      {
        ids: codes?.ids.split(',').filter((id) => id !== ''),
        readCodes: (ids) => readExportedQrCodes(db, organizationId, ids),
      },
    )
    return new Answer(await streamOf(pieces), {
      'content-type': csvType,
      'content-disposition': contentDisposition('attachment', 'scans', 'csv'),
    })
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
  description: `The columns are ${analyticsExportColumns.join(', ')}. ${exportWords}`,
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
      'content-type': csvType,
      'content-disposition': contentDisposition('attachment', `${row.name} scans`, 'csv'),
    })
  },
})

function csvOf(figures: QrCodeAnalytics | OrganizationAnalytics, name: string): OtherForm {
  return new OtherForm(figuresCsv(figures), {
    'content-type': csvType,
    'content-disposition': contentDisposition('attachment', name, 'csv'),
  })
}
