import { limits } from '../../schema/limits.ts'
import { OrganizationParams } from '../../schema/common.ts'
import { BatchDownload } from '../../resources/batches.ts'
import { endpoint } from '../endpoint.ts'

export const batchDownloads = {
  download: endpoint({
    id: 'batchDownloadQrCodes',
    call: 'batches.download',
    method: 'POST',
    repeatable: true,
    path: '/organizations/:orgId/qr-codes/batch/download',
    role: 'VIEWER',
    scope: 'codes:read',
    tag: 'Batches',
    summary: 'Download the pictures of many QR codes as one zip archive.',
    description: `At most ${limits.batchMax} codes; streamed. Files are named after their codes. errors.json lists the codes that cannot be drawn; 404 if no code can be drawn.`,
    params: OrganizationParams,
    body: BatchDownload,
    takes: 'downloads',
    status: 200,
    produces: ['application/zip'],
    responseHeaders: { 'Content-Disposition': 'A file name.' },
    errors: [404],
  }),
}
