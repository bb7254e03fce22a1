import { QrCodeParams } from '../../resources/qr-codes.ts'
import { ListScansQuery, ScanPage } from '../../resources/scans.ts'
import { endpoint } from '../endpoint.ts'

export const scans = {
  list: endpoint({
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
  }),
}
