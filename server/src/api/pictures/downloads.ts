import { downloads } from '@everscan/contract/endpoints/pictures/downloads.ts'
import { downloadFormats, type DownloadFormat } from '@everscan/contract/resources/downloads.ts'
import { problem } from '@everscan/contract/problems/problem.ts'
import { keysOf } from '@everscan/contract/schema/records.ts'
import { readQrCode } from '../../catalogue/codes/qr-codes.ts'
import { codeOrWaiting } from '../../catalogue/waiting/code-or-waiting.ts'
import { ApiError } from '../../errors.ts'
import { askedType } from '../http/accept.ts'
import { Answer, handler } from '../http/handler.ts'
import { etagOf } from '../../product/codes/etags.ts'
import { refuseWaitingPicture } from '../../product/pictures/waiting-pictures.ts'
import { contentDisposition } from '../../files/file-names.ts'
import { pictureOfDownload } from '../../product/pictures/download-pictures.ts'
import { drawPicture } from '../../product/pictures/pictures.ts'
import { notFound } from '../../request-errors.ts'

const formats = keysOf(downloadFormats)

export const download = handler(downloads.download, {
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
    throw new ApiError(406, 'NOT_ACCEPTABLE', problem('formatsRefused', { formats: types.join(', ') }))
  return format
}
