import type { BatchDeleteResult } from '@everscan/contract/resources/batches.ts'
import type { BinnedQrCode, BinPage, ListBinQuery } from '@everscan/contract/resources/bin.ts'
import type { Deleted } from '@everscan/contract/schema/common.ts'
import type { TypedQrCode } from '@everscan/contract/resources/qr-codes.ts'
import type { BatchOptions, BatchResult } from './batches.ts'
import { pathOf, readJson, type CallOptions, type Send } from './send.ts'

/** The deleted codes of an organization that can be restored. */
export type Bin = ReturnType<typeof binCalls>

export function binCalls(send: Send) {
  async function list(orgId: string, query: ListBinQuery = {}, options?: CallOptions): Promise<BinPage> {
    const path = pathOf`/organizations/${orgId}/qr-codes/bin`
    return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
  }

  return {
    /** Returns a page of the codes in the bin, last deleted first. */
    list,

    /** Yields every code in the bin, page by page. Collect the codes first, then restore. */
    async *iterate(
      orgId: string,
      query: Omit<ListBinQuery, 'page'> = {},
      options?: CallOptions,
    ): AsyncGenerator<BinnedQrCode, void, undefined> {
      for (let page = 1; ; page++) {
        const { data, pagination } = await list(orgId, { limit: 100, ...query, page }, options)
        yield* data
        if (!pagination.hasNext) return
      }
    },

    /** Restores a code with its short URL, content, tags, history and scans. */
    async restore(orgId: string, id: string, options?: CallOptions): Promise<TypedQrCode> {
      const path = pathOf`/organizations/${orgId}/qr-codes/bin/${id}/restore`
      return readJson(await send({ method: 'POST', path, idempotent: false, options }))
    },

    /** Restores many codes. */
    async restoreMany(orgId: string, ids: readonly string[], options?: BatchOptions): Promise<BatchResult> {
      const path = pathOf`/organizations/${orgId}/qr-codes/bin/restore`
      const query = { atomic: options?.atomic }
      return readJson(await send({ method: 'POST', path, query, body: { ids }, idempotent: false, options }))
    },

    /** Deletes a code in the bin permanently. */
    async purge(orgId: string, id: string, options?: CallOptions): Promise<Deleted> {
      const path = pathOf`/organizations/${orgId}/qr-codes/bin/${id}`
      return readJson(await send({ method: 'DELETE', path, idempotent: false, options }))
    },

    /** Deletes many codes in the bin permanently. */
    async purgeMany(
      orgId: string,
      ids: readonly string[],
      options?: CallOptions,
    ): Promise<BatchDeleteResult> {
      const path = pathOf`/organizations/${orgId}/qr-codes/bin`
      return readJson(await send({ method: 'DELETE', path, body: { ids }, idempotent: false, options }))
    },
  }
}
