import { strictObject } from '@everscan/contract/common.ts'
import { oneOf } from '@everscan/contract/common.ts'
import { downloadFormats, DownloadQuery } from '@everscan/contract/downloads.ts'
import { QrCodeParams } from '@everscan/contract/qr-codes.ts'
import { PictureError, type PictureOptions } from '@everscan/qr/picture.ts'
import { drawPng } from '@everscan/qr/png.ts'
import type { Matrix } from '@everscan/qr/matrix.ts'
import { drawSvg } from '@everscan/qr/svg.ts'
import { type Static, Type } from 'typebox'
import { readQrCode } from '../catalogue/qr-codes.ts'
import type { QrCodeRow } from '../catalogue/qr-code-rows.ts'
import { ApiError } from '../errors.ts'
import { preferredType } from './accept.ts'
import { Answer, endpoint } from './endpoint.ts'
import { etagOf } from './etags.ts'
import { contentDisposition } from './file-names.ts'
import { errorCorrectionOf, qrCodeMatrix, shortUrlOf } from './qr-code-records.ts'
import { notFound } from './request-errors.ts'

/** What can be drawn so far, best first; the contract names more. */
const formats = ['png', 'svg'] as const
type Format = (typeof formats)[number]

/** The contract's query, narrowed to what is drawn: anything else is a 400 that lists what there is. */
const AvailableDownloadQuery = strictObject({
  ...DownloadQuery.properties,
  format: Type.Optional(
    oneOf(formats, {
      description: 'Picture format; without it the Accept header decides, and without that it is png.',
    }),
  ),
  content: Type.Optional(
    oneOf(['dynamic'], { description: 'dynamic encodes the short URL.', default: 'dynamic' }),
  ),
})
type AvailableDownloadQuery = Static<typeof AvailableDownloadQuery>

export const download = endpoint({
  id: 'downloadQrCode',
  method: 'GET',
  path: '/organizations/:orgId/qr-codes/:id/download',
  role: 'VIEWER',
  tag: 'QR codes',
  summary: 'The picture of a QR code.',
  description: 'The header Accept decides the format when the query does not. Archived codes still download.',
  params: QrCodeParams,
  query: AvailableDownloadQuery,
  status: 200,
  produces: formats.map((format) => downloadFormats[format]),
  requestHeaders: {
    'If-None-Match': 'The ETag of a picture that the client has; 304 when it is still the same.',
  },
  responseHeaders: {
    ETag: 'Names these bytes.',
    'Content-Disposition': "A file name made of the code's name.",
  },
  errors: [406],
  handle: async ({ db, config }, _caller, { params, query, headers }) => {
    const format = query.format ?? acceptedFormat(headers.accept)
    const row = await readQrCode(db, { organizationId: params.orgId, id: params.id })
    if (row === undefined) throw notFound()
    const picture = draw(row, { ...query, format, publicUrl: config.publicUrl })
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

function acceptedFormat(accept: string | undefined): Format {
  const types = formats.map((format) => downloadFormats[format]) as ['image/png', 'image/svg+xml']
  const type = preferredType(accept, types)
  const format = formats.find((name) => downloadFormats[name] === type)
  if (format === undefined)
    throw new ApiError(
      406,
      'NOT_ACCEPTABLE',
      `The picture can be had as ${types.join(' or ')}, not as what Accept names.`,
    )
  return format
}

type DrawOptions = Omit<AvailableDownloadQuery, 'format'> & { format: Format; publicUrl: string }

function draw(row: QrCodeRow, options: DrawOptions): Buffer | string {
  const { style, picture } = row
  const errorCorrection = options.errorCorrection ?? errorCorrectionOf(style)
  const shortUrl = shortUrlOf(row.shortCode, options.publicUrl)
  const matrix = qrCodeMatrix(shortUrl, { errorCorrection, picture })
  const look = {
    sizePx: options.size,
    marginModules: options.margin ?? style.margin,
    foreground: style.foregroundColor,
    background: style.backgroundColor,
  }
  try {
    return drawAs[options.format](matrix, { ...look, title: row.name })
  } catch (error) {
    // The one thing that depends on the code: a size with fewer pixels than it has modules.
    if (!(error instanceof PictureError)) throw error
    throw new ApiError(400, 'VALIDATION_ERROR', error.message, {
      details: [{ path: 'size', message: error.message.replace('"size" ', '') }],
    })
  }
}

const drawAs: Record<Format, (matrix: Matrix, look: PictureOptions & { title: string }) => Buffer | string> =
  {
    png: drawPng,
    svg: drawSvg,
  }
