import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../session/api.ts'

/** Codes per request, so that the address stays short. */
const codesPerRequest = 200

/** Returns the query of the scans of some codes in the last 30 days, the default of the API. */
export const recentScansQuery = (orgId: string, codes: readonly QrCode[]) => {
  const ids = codes.map(({ id }) => id)
  return queryOptions({
    queryKey: ['recent-scans', orgId, ids],
    queryFn: async ({ signal }) => scansOf(orgId, ids, signal),
  })
}

/** Returns the query of the scans of a folder's codes in the last 30 days, without subfolders. */
export const recentFolderScansQuery = (orgId: string, folderId: string) =>
  queryOptions({
    queryKey: ['recent-scans', orgId, folderId],
    queryFn: async ({ signal }) => {
      const ids: string[] = []
      for await (const { id } of api.qrCodes.iterate(orgId, { folderId }, { signal })) ids.push(id)
      return scansOf(orgId, ids, signal)
    },
  })

async function scansOf(orgId: string, ids: readonly string[], signal: AbortSignal): Promise<number> {
  let scans = 0
  for (let from = 0; from < ids.length; from += codesPerRequest) {
    const query = { ids: [ids.slice(from, from + codesPerRequest).join(',')] }
    scans += (await api.analytics.ofOrganization(orgId, query, { signal })).summary.totalScans
  }
  return scans
}
