import {
  downloadFormats,
  DownloadQuery,
  type DownloadFormat,
} from '@everscan/contract/resources/downloads.ts'
import { QrCodeParams } from '@everscan/contract/resources/qr-codes.ts'
import { keysOf } from '@everscan/contract/schema/records.ts'
import { readQrCode } from '../../catalogue/codes/qr-codes.ts'
import { ApiError } from '../../errors.ts'
import { preferredType } from '../http/accept.ts'
import { Answer, endpoint } from '../http/endpoint.ts'
import { etagOf } from '../http/etags.ts'
import { contentDisposition } from '../../file-names.ts'
import { pictureOfDownload } from './download-pictures.ts'
import { drawPicture } from './pictures.ts'
import { notFound } from '../http/request-errors.ts'

const formats = keysOf(downloadFormats)

export const download = endpoint({
  id: 'downloadQrCode',
  method: 'GET',
  path: '/organizations/:orgId/qr-codes/:id/download',
  role: 'VIEWER',
  tag: 'QR codes',
  summary: 'The picture of a QR code.',
  description: 'The header Accept decides the format when the query does not. Archived codes still download.',
  params: QrCodeParams,
  query: DownloadQuery,
  status: 200,
  produces: formats.map((format) => downloadFormats[format]),
  requestHeaders: {
    'If-None-Match': 'The ETag of a picture that the client has; 304 when it is still the same.',
  },
  responseHeaders: {
    ETag: 'Names these bytes.',
    'Content-Disposition': "A file name made of the code's name.",
  },
  errors: [406, 422],
  handle: async ({ db, config }, _caller, { params, query, headers }) => {
    const format = query.format ?? acceptedFormat(headers.accept)
    const row = await readQrCode(db, { organizationId: params.orgId, id: params.id })
    if (row === undefined) throw notFound()
    const request = await pictureOfDownload(row, { ...query, format, publicUrl: config.publicUrl })
    const picture = await drawPicture(request)
    return new Answer(picture, {
      'content-type': downloadFormats[format],
      'content-disposition': contentDisposition(query.disposition ?? 'attachment', row.name, format),
      // Weak: an SVG also goes out compressed.
      etag: `W/${etagOf(picture)}`,
      // Kept by the client, asked about each time: the style of a code can change.
      'cache-control': 'private, no-cache',
      vary: 'Accept',
    })
  },
})

/** PNG unless something else is asked for; SVG before the other formats. */
function acceptedFormat(accept: string | undefined): DownloadFormat {
  const types = formats.map((format) => downloadFormats[format])
  const type = preferredType(accept, types as [string, ...string[]])
  const format = formats.find((name) => downloadFormats[name] === type)
  if (format === undefined)
    throw new ApiError(
      406,
      'NOT_ACCEPTABLE',
      `The picture can be had as ${types.join(', ')}, not as what Accept names.`,
    )
  return format
}
