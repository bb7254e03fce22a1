import {
  downloadFormats,
  DownloadQuery,
  type DownloadFormat,
} from '@everscan/contract/resources/downloads.ts'
import { QrCodeParams } from '@everscan/contract/resources/qr-codes.ts'
import { keysOf } from '@everscan/contract/schema/records.ts'
import { readQrCode } from '../../catalogue/codes/qr-codes.ts'
import { codeOrWaiting } from '../../catalogue/waiting/code-or-waiting.ts'
import { ApiError } from '../../errors.ts'
import { askedType } from '../http/accept.ts'
import { Answer, endpoint } from '../http/endpoint.ts'
import { etagOf } from '../../product/codes/etags.ts'
import { refuseWaitingPicture } from '../../product/pictures/waiting-pictures.ts'
import { contentDisposition } from '../../files/file-names.ts'
import { pictureOfDownload } from '../../product/pictures/download-pictures.ts'
import { drawPicture } from '../../product/pictures/pictures.ts'
import { notFound } from '../../request-errors.ts'

const formats = keysOf(downloadFormats)

export const download = endpoint({
  id: 'downloadQrCode',
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
  handle: async ({ db, config, work }, _caller, { params, query, headers }) => {
    const format = query.format ?? acceptedFormat(headers.accept)
    const key = { organizationId: params.orgId, id: params.id }
    const row = await codeOrWaiting(
      async () => readQrCode(db, key),
      async () => refuseWaitingPicture(db, key),
    )
    if (row === undefined) throw notFound()
    const request = await pictureOfDownload(row, { ...query, format, publicUrl: config.publicUrl, work })
    const picture = await drawPicture(request)
    return new Answer(picture, {
      'content-type': downloadFormats[format],
      'content-disposition': contentDisposition(query.disposition ?? 'attachment', row.name, format),
      // Weak, because an SVG is also sent compressed.
      etag: `W/${etagOf(picture)}`,
      // Clients may store the picture but must revalidate it, because the style of a code can
      // change.
      'cache-control': 'private, no-cache',
      vary: 'Accept',
    })
  },
})

/** PNG, unless the header asks for another format. */
function acceptedFormat(accept: string | undefined): DownloadFormat {
  const types = formats.map((format) => downloadFormats[format])
  const type = askedType(accept, types as [string, ...string[]])
  const format = formats.find((name) => downloadFormats[name] === type)
  if (format === undefined)
    throw new ApiError(
      406,
      'NOT_ACCEPTABLE',
      `Accept refuses image/png. Name another format, of ${types.join(', ')}.`,
    )
  return format
}
