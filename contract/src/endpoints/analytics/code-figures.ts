import { selectionWords } from './analytics.ts'
import { OrganizationParams } from '../../schema/common.ts'
import { CodeFiguresQuery, CodeFiguresPage } from '../../resources/analytics-codes.ts'
import { endpoint } from '../endpoint.ts'

export const codeFigures = {
  list: endpoint({
    id: 'listQrCodeFigures',
    call: 'analytics.codes',
    method: 'GET',
    path: '/organizations/:orgId/qr-codes/analytics/codes',
    role: 'VIEWER',
    scope: 'analytics:read',
    tag: 'Analytics',
    summary: 'List the QR codes of the organization, or some, with their scans over a period.',
    description: `Codes without scans are listed, too, deleted ones never. By default the last 30 days including today, most scans first. ${selectionWords} Percentages are of all these scans.`,
    params: OrganizationParams,
    query: CodeFiguresQuery,
    readsMuch: true,
    status: 200,
    response: CodeFiguresPage,
  }),
}
