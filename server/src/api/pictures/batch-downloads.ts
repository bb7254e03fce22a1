import type { Values } from '@everscan/contract/problems/problem.ts'
import { batchDownloads } from '@everscan/contract/endpoints/pictures/batch-downloads.ts'
import { readQrCodes } from '../../catalogue/codes/batches.ts'
import { ApiError } from '../../errors.ts'
import { attempt, itemsOfIds } from '../../product/codes/batch-results.ts'
import { type DownloadOptions, pictureOfDownload } from '../../product/pictures/download-pictures.ts'
import { Answer, handler } from '../http/handler.ts'
import type { ApiContext } from '../http/api-context.ts'
import { contentDisposition, safeName } from '../../files/file-names.ts'
import { drawPicture } from '../../product/pictures/pictures.ts'
import { pictureSizeOf, printParametersOf } from '../../product/pictures/picture-sizes.ts'
import { notFound } from '../../request-errors.ts'
import { zipStream, type ZippedFile } from '../../files/zip-streams.ts'

export const download = handler(batchDownloads.download, {
  handle: async (context, _caller, { params, body }) => {
    const { ids, format = 'png', ...look } = body
    // A problem common to all codes fails the request, not each code.
    pictureSizeOf(format, look)
    printParametersOf(format, look)
    const options = {
      ...look,
      format,
      publicUrl: context.config.publicUrl,
      work: { ...context.work, suggests: false },
    }
    const wanted = { ids: itemsOfIds(ids).map(({ id }) => id), options }
    const nowMs = context.clock()
    const files = await picturesOf(context, params.orgId, wanted)
    const name = `QR codes ${new Date(nowMs).toISOString().slice(0, 10)}`
    return new Answer(zipStream(files, new Date(nowMs)), {
      'content-type': 'application/zip',
      'content-disposition': contentDisposition('attachment', name, 'zip'),
    })
  },
})

const readAtOnce = 100

type Wanted = { ids: readonly string[]; options: DownloadOptions }

/**
 * One file for each code that can be drawn, drawn when its turn comes, and the errors of the
 * others.
 */
async function picturesOf(
  { db }: ApiContext,
  organizationId: string,
  { ids, options }: Wanted,
): Promise<ZippedFile[]> {
  const files: ZippedFile[] = []
  const errors: { id: string; error: string; code: string; problem: string; values: Values }[] = []
  const names = new Set<string>()
  const refuse = (id: string, { code, told: { message, problem, values } }: ApiError): void => {
    errors.push({ id, error: message, code, problem, values })
  }
  for (let start = 0; start < ids.length; start += readAtOnce) {
    const some = ids.slice(start, start + readAtOnce)
    const rows = await readQrCodes(db, organizationId, some)
    for (const id of some) {
      const row = rows.get(id)
      const picture = row === undefined ? notFound() : await attempt(() => pictureOfDownload(row, options))
      if (row === undefined || picture instanceof ApiError) {
        refuse(id, picture instanceof ApiError ? picture : notFound())
        continue
      }
      const name = freeName(names, safeName(row.name), options.format)
      files.push({
        name,
        pieces: async function* () {
          yield await drawPicture(picture)
        },
      })
    }
  }
  if (files.length === 0) throw notFound()
  if (errors.length > 0)
    files.push({
      name: 'errors.json',
      pieces: async function* () {
        yield `${JSON.stringify(errors, undefined, 2)}\n`
      },
    })
  return files
}

/**
 * Codes may share a name, and case-insensitive file systems would lose one of two names that differ
 * only in case.
 */
function freeName(names: Set<string>, name: string, extension: string): string {
  for (let count = 1; ; count++) {
    const free = `${name}${count === 1 ? '' : ` (${count})`}.${extension}`
    if (names.has(free.toLowerCase())) continue
    names.add(free.toLowerCase())
    return free
  }
}
