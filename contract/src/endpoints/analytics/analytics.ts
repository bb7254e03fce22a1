import { QrCodeParams } from '../../resources/qr-codes.ts'
import {
  AnalyticsQuery,
  QrCodeAnalytics,
  OrganizationAnalyticsQuery,
  OrganizationAnalytics,
  organizationExportColumns,
  OrganizationExportQuery,
  analyticsExportColumns,
  AnalyticsExportQuery,
  figuresCsvColumns,
} from '../../resources/analytics.ts'
import { OrganizationParams } from '../../schema/common.ts'
import { endpoint } from '../endpoint.ts'

const tag = 'Analytics'
const defaults = `By default the last 30 days including today, by day, in UTC. With filters, every figure counts only the matching scans. With \`format=csv\`, the columns are ${figuresCsvColumns.join(', ')}.`
export const selectionWords =
  '`folderId`, `tag`, `type` and `ids` together select codes; scans of deleted codes count only without them.'
const exportWords =
  'The rows are exactly the scans that the analytics of the same parameters count. By default the last 30 days including today. A cell that a spreadsheet would run as a formula starts with an apostrophe. Streamed: a response that breaks off is incomplete.'

export const analytics = {
  ofOrganization: endpoint({
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
  }),

  ofQrCode: endpoint({
    id: 'readQrCodeAnalytics',
    call: 'qrCodes.analytics',
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
  }),

  exportOfOrganization: endpoint({
    id: 'exportOrganizationAnalytics',
    call: 'analytics.exportOrganization',
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
  }),

  exportOfQrCode: endpoint({
    id: 'exportQrCodeAnalytics',
    call: 'analytics.export',
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
  }),
}
