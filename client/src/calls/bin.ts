// `npm run generate` writes this file from the table of endpoints.
import type {
  BinPage,
  BinnedQrCode,
  ListBinQuery,
  PurgeQuery,
  RestoreQrCodes,
} from '@everscan/contract/resources/bin.ts'
import type { BatchDelete, BatchDeleteResult, BatchQuery } from '@everscan/contract/resources/batches.ts'
import type { Deleted } from '@everscan/contract/schema/common.ts'
import { readRecord, type Service } from '../calling.ts'
import type { BatchResult, TypedQrCode } from '../exact-types.ts'
import { iterate } from '../iterate.ts'
import { pathOf, readJson, type CallOptions } from '../send.ts'

export function binOf({ send }: Service) {
  const calls = {
    /**
     * List the deleted QR codes that can be restored, last deleted first. Codes that were deleted
     * with `bin=true` stay here for 30 days.
     */
    async list(orgId: string, query: ListBinQuery = {}, options?: CallOptions): Promise<BinPage> {
      const path = pathOf`/organizations/${orgId}/qr-codes/bin`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /**
     * Yields every record of the list, page by page. If records are deleted meanwhile, it may skip
     * others: collect them first, then delete.
     */
    iterate(
      orgId: string,
      query: Omit<ListBinQuery, 'page'> = {},
      options?: CallOptions,
    ): AsyncGenerator<BinnedQrCode, void, undefined> {
      return iterate(({ page, limit }) => calls.list(orgId, { limit, ...query, page }, options))
    },

    /**
     * Restore a deleted QR code from the bin. Its short URL, content, tags, history and scans are
     * as before. If its folder was deleted, it is in no folder. 404 if the code is not in the bin.
     */
    async restore(orgId: string, id: string, options?: CallOptions): Promise<TypedQrCode> {
      const path = pathOf`/organizations/${orgId}/qr-codes/bin/${id}/restore`
      return readRecord(await send({ method: 'POST', path, idempotent: false, options }))
    },

    /**
     * Restore many deleted QR codes from the bin. At most 1000 codes; `errors` lists those that are
     * not in the bin.
     */
    async restoreMany(
      orgId: string,
      body: RestoreQrCodes,
      query: BatchQuery = {},
      options?: CallOptions,
    ): Promise<BatchResult> {
      const path = pathOf`/organizations/${orgId}/qr-codes/bin/restore`
      return readJson(await send({ method: 'POST', path, query, body, idempotent: false, options }))
    },

    /**
     * Delete a QR code in the bin permanently. Its short URL is never reused. 404 if the code is
     * not in the bin.
     */
    async purge(orgId: string, id: string, options?: CallOptions): Promise<Deleted> {
      const path = pathOf`/organizations/${orgId}/qr-codes/bin/${id}`
      return readJson(await send({ method: 'DELETE', path, idempotent: false, options }))
    },

    /**
     * Delete many QR codes in the bin permanently. Send the ids either in the body or in the query.
     * At most 1000 codes; `errors` lists those that are not in the bin.
     */
    async purgeMany(
      orgId: string,
      body?: BatchDelete,
      query: PurgeQuery = {},
      options?: CallOptions,
    ): Promise<BatchDeleteResult> {
      const path = pathOf`/organizations/${orgId}/qr-codes/bin`
      return readJson(await send({ method: 'DELETE', path, query, body, idempotent: false, options }))
    },
  }
  return calls
}
