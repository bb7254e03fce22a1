import { downloadFormats, DownloadQuery, type DownloadFormat } from '@everscan/contract/downloads.ts'
import { QrCodeParams } from '@everscan/contract/qr-codes.ts'
import { keysOf } from '@everscan/contract/records.ts'
import type { Style } from '@everscan/contract/styles.ts'
import { directPayload } from '@everscan/qr/direct-payload.ts'
import type { MatrixOptions } from '@everscan/qr/matrix.ts'
import { encodePayload } from '@everscan/qr/payload.ts'
import { PictureError } from '@everscan/qr/picture.ts'
import type { QrCodeRow } from '../catalogue/qr-code-rows.ts'
import { readQrCode } from '../catalogue/qr-codes.ts'
import { ApiError } from '../errors.ts'
import { preferredType } from './accept.ts'
import { Answer, endpoint } from './endpoint.ts'
import { etagOf } from './etags.ts'
import { contentDisposition } from './file-names.ts'
import { drawPicture } from './pictures.ts'
import { pictureSizeOf } from './picture-sizes.ts'
import { errorCorrectionOf, shortUrlOf } from './qr-code-records.ts'
import { notFound, validationError } from './request-errors.ts'
import { acceptStyle } from './style-acceptance.ts'

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
    const picture = await drawDownload(row, { ...query, format, publicUrl: config.publicUrl })
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

type DownloadOptions = Omit<DownloadQuery, 'format' | 'disposition'> & {
  format: DownloadFormat
  publicUrl: string
}

/** The picture of a code as `DownloadQuery` asks for it. Throws ApiError 400 and 422. */
export async function drawDownload(row: QrCodeRow, options: DownloadOptions): Promise<Buffer | string> {
  const { format, errorCorrection, content, margin: marginModules, publicUrl } = options
  const size = pictureSizeOf(format, options)
  const style = errorCorrection === undefined ? row.style : { ...row.style, errorCorrection }
  const text = content === 'direct' ? directText(row) : encodePayload(shortUrlOf(row.shortCode, publicUrl))
  const picture = content === 'direct' ? undefined : row.picture
  const encode = (one: Style): MatrixOptions => ({
    text,
    errorCorrection: errorCorrectionOf(one),
    ...picture,
  })
  // The code's own picture was read back when its style was accepted; this is another one.
  if (style !== row.style || content === 'direct')
    await acceptStyle(style, { encode, knownLogo: style.logo?.dataUri })
  try {
    return await drawPicture({ code: encode(style), style, format, size, marginModules, title: row.name })
  } catch (error) {
    // What depends on the code: a size with fewer pixels than it has modules, a content that no code holds.
    if (!(error instanceof PictureError)) throw error
    const path = /^"(\w+)"/.exec(error.message)?.[1] ?? 'content'
    throw new ApiError(400, 'VALIDATION_ERROR', error.message, {
      details: [{ path, message: error.message.replace(/^"\w+" /, '') }],
    })
  }
}

function directText({ type, data }: QrCodeRow): string {
  const text = directPayload(type, data as never)
  if (text !== undefined) return text
  const message = `must be dynamic: a code of type ${type} has no content that a phone understands by itself`
  throw validationError([{ path: 'content', message }])
}
