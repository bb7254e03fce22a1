import { etagOf, type TypedQrCode } from '@everscan/client/create-client.ts'
import { queryOptions } from '@tanstack/react-query'
import { api, queries } from '../session/api.ts'

/** A code as it was read, with what names that version of it. */
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

/** Takes note of a code that was just read or written: every page shows it so. */
export function keepCode(orgId: string, code: TypedQrCode): ReadCode {
  const read = readCode(code)
  queries.setQueryData(codeQuery(orgId, code.id).queryKey, read)
  void queries.invalidateQueries({ queryKey: historyQuery(orgId, code.id).queryKey })
  forgetLists(orgId)
  return read
}

/** Lists are read again when they are next shown. */
export function forgetLists(orgId: string): void {
  for (const name of ['codes', 'tags', 'folders']) void queries.invalidateQueries({ queryKey: [name, orgId] })
}

const readCode = (code: TypedQrCode): ReadCode => ({ code, etag: etagOf(code) })

/** A short address as people write it. */
export const withoutScheme = (address: string) => address.replace(/^https?:\/\//, '')

/** Where the picture of a code is, for an `img`: below this page's own host, whatever the public one is. */
export const pictureAddress = (imageUrl: string) =>
  `${new URL(imageUrl).pathname}?format=svg&disposition=inline`
