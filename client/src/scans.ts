import type { ListScansQuery, Scan } from '@everscan/contract/resources/scans.ts'
import { composed, type Composed, type Service } from './calling.ts'
import { scansOf } from './calls/scans.ts'
import type { CallOptions } from './send.ts'

/** Single scans. */
export type Scans = Composed<typeof scansOf, typeof ownCalls>

export const scanCalls: (service: Service) => Scans = composed(scansOf, ownCalls)

function ownCalls(calls: ReturnType<typeof scansOf>) {
  return {
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
        const { data, pagination } = await calls.list(orgId, id, { limit: 100, ...query, page }, options)
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
