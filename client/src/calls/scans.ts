// `npm run generate` writes this file from the table of endpoints.
import type { ListScansQuery, Scan, ScanPage } from '@everscan/contract/resources/scans.ts'
import type { Service } from '../calling.ts'
import { iterate } from '../iterate.ts'
import { pathOf, readJson, type CallOptions } from '../send.ts'

export function scansOf({ send }: Service) {
  const calls = {
    /**
     * List the individual scans of a QR code over a period, newest first. By default the last 30
     * days including today. Includes bots only with `includeBots`.
     */
    async list(
      orgId: string,
      id: string,
      query: ListScansQuery = {},
      options?: CallOptions,
    ): Promise<ScanPage> {
      const path = pathOf`/organizations/${orgId}/qr-codes/${id}/scans`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /**
     * Yields every record of the list, page by page. If records are deleted meanwhile, it may skip
     * others: collect them first, then delete.
     */
    iterate(
      orgId: string,
      id: string,
      query: Omit<ListScansQuery, 'page'> = {},
      options?: CallOptions,
    ): AsyncGenerator<Scan, void, undefined> {
      return iterate(({ page, limit }) => calls.list(orgId, id, { limit, ...query, page }, options))
    },
  }
  return calls
}
