import { etagOf, type TypedQrCode } from '@everscan/client/create-client.ts'
import { queryOptions } from '@tanstack/react-query'
import { api, queries } from '../session/api.ts'

/** A code as it was read, with the ETag of that version. */
export type ReadCode = { code: TypedQrCode; etag: string | undefined }

export const codeQuery = (orgId: string, codeId: string) =>
  queryOptions({
    queryKey: ['code', orgId, codeId],
    queryFn: async ({ signal }): Promise<ReadCode> =>
      readCode(await api.qrCodes.read(orgId, codeId, { signal })),
  })

export const historyQuery = (orgId: string, codeId: string) =>
  queryOptions({
    queryKey: ['code', orgId, codeId, 'history'],
    queryFn: async ({ signal }) => api.qrCodes.history(orgId, codeId, { limit: 100 }, { signal }),
  })

/** Stores a code that was just read or written, so that every page shows this version. */
export function keepCode(orgId: string, code: TypedQrCode): ReadCode {
  const read = readCode(code)
  queries.setQueryData(codeQuery(orgId, code.id).queryKey, read)
  void queries.invalidateQueries({ queryKey: historyQuery(orgId, code.id).queryKey })
  forgetLists(orgId)
  return read
}

/** Makes lists read again when they are next shown. */
export function forgetLists(orgId: string): void {
  for (const name of ['codes', 'tags', 'folders']) void queries.invalidateQueries({ queryKey: [name, orgId] })
}

const readCode = (code: TypedQrCode): ReadCode => ({ code, etag: etagOf(code) })

/** Returns a short URL as people write it. */
export const withoutScheme = (address: string) => address.replace(/^https?:\/\//, '')

/**
 * Returns the URL of a code's picture for an `img`. It uses this page's own host, whatever the
 * public host is.
 */
export const pictureAddress = (imageUrl: string) =>
  `${new URL(imageUrl).pathname}?format=svg&disposition=inline`
