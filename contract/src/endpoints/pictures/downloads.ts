import { QrCodeParams } from '../../resources/qr-codes.ts'
import { DownloadQuery, downloadFormats } from '../../resources/downloads.ts'
import { keysOf } from '../../schema/records.ts'
import { endpoint } from '../endpoint.ts'

const formats = keysOf(downloadFormats)

export const downloads = {
  download: endpoint({
    id: 'downloadQrCode',
    call: 'byHand',
    method: 'GET',
    path: '/organizations/:orgId/qr-codes/:id/download',
    role: 'VIEWER',
    scope: 'codes:read',
    tag: 'QR codes',
    summary: 'Download the picture of a QR code.',
    description:
      'The header Accept chooses the format if the query does not. Archived codes can be downloaded too.',
    params: QrCodeParams,
    query: DownloadQuery,
    status: 200,
    produces: formats.map((format) => downloadFormats[format]),
    requestHeaders: {
      'If-None-Match': 'The ETag of an earlier picture; the response is 304 if it has not changed.',
    },
    responseHeaders: {
      ETag: 'Identifies these bytes.',
      'Content-Disposition': "A file name derived from the code's name.",
    },
    errors: [406, 409, 422],
  }),
}
