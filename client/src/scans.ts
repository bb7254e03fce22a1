import type { ListScansQuery, Scan, ScanPage } from '@everscan/contract/resources/scans.ts'
import { pathOf, readJson, type CallOptions, type Send } from './send.ts'

/** Single scans. */
export type Scans = ReturnType<typeof scanCalls>

export function scanCalls(send: Send) {
  async function list(
    orgId: string,
    id: string,
    query: ListScansQuery = {},
    options?: CallOptions,
  ): Promise<ScanPage> {
    const path = pathOf`/organizations/${orgId}/qr-codes/${id}/scans`
    return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
  }

  return {
    /** A page of the scans of a code, newest first: of the last 30 days unless `query` says otherwise. */
    list,

    /**
     * Every scan of a period, newest first, page after page. Each comes once, also when others are made meanwhile. For more than some
     * thousand, `analytics.export` is the quicker way.
     */
    async *iterate(
      orgId: string,
      id: string,
      query: Omit<ListScansQuery, 'page'> = {},
      options?: CallOptions,
    ): AsyncGenerator<Scan, void, undefined> {
      // New scans move the others down to later pages: what came already comes again there.
      let lastTimestamp: string | undefined
      let idsOfLast = new Set<string>()
      for (let page = 1; ; page++) {
        const { data, pagination } = await list(orgId, id, { limit: 100, ...query, page }, options)
        for (const scan of data) {
          if (lastTimestamp !== undefined && scan.timestamp > lastTimestamp) continue
          if (scan.timestamp !== lastTimestamp) idsOfLast = new Set()
          else if (idsOfLast.has(scan.id)) continue
          lastTimestamp = scan.timestamp
          idsOfLast.add(scan.id)
          yield scan
        }
        if (!pagination.hasNext) return
      }
    },
  }
}
