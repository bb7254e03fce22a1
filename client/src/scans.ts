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
    /** Returns a page of the scans of a code, newest first, by default of the last 30 days. */
    list,

    /**
     * Yields every scan of a period once, page by page, newest first, even if new scans arrive
     * meanwhile. For more than a few thousand scans, `analytics.export` is faster.
     */
    async *iterate(
      orgId: string,
      id: string,
      query: Omit<ListScansQuery, 'page'> = {},
      options?: CallOptions,
    ): AsyncGenerator<Scan, void, undefined> {
      // New scans push older ones down, so a later page can repeat scans that were already yielded.
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
