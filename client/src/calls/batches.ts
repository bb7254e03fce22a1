// `npm run generate` writes this file from the table of endpoints.
import type {
  BatchClone,
  BatchDelete,
  BatchDeleteQuery,
  BatchDeleteResult,
  BatchDownload,
  BatchQuery,
  BatchReadQuery,
} from '@everscan/contract/resources/batches.ts'
import { once, type CreateOptions, type Service } from '../calling.ts'
import type { AnyCreateQrCode, BatchResult, BatchResultWithEtags } from '../exact-types.ts'
import { pathOf, readJson, type CallOptions } from '../send.ts'
import { streamedFile, type StreamedFile } from '../streamed-files.ts'

export function batchesOf({ send, sendStreamed }: Service) {
  const calls = {
    /**
     * Create many QR codes. At most 1000 items. Valid items succeed even if others fail; `errors`
     * lists the failed ones.
     */
    async create(
      orgId: string,
      body: { qrCodes: AnyCreateQrCode[] },
      query: BatchQuery = {},
      options?: CreateOptions,
    ): Promise<BatchResult> {
      const path = pathOf`/organizations/${orgId}/qr-codes/batch`
      return readJson(await send({ method: 'POST', path, query, body, ...once(options), options }))
    },

    /**
     * Read many QR codes with their ETags. At most 100 codes, by id or by short code, first those
     * of `ids`. A code that is named twice counts once. `errors` lists the ones that do not exist.
     */
    async read(
      orgId: string,
      query: BatchReadQuery = {},
      options?: CallOptions,
    ): Promise<BatchResultWithEtags> {
      const path = pathOf`/organizations/${orgId}/qr-codes/batch`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /**
     * Clone many QR codes. Each clone has its own short code and no scans. At most 1000 items.
     * Valid items succeed even if others fail; `errors` lists the failed ones.
     */
    async clone(
      orgId: string,
      body: BatchClone,
      query: BatchQuery = {},
      options?: CreateOptions,
    ): Promise<BatchResult> {
      const path = pathOf`/organizations/${orgId}/qr-codes/batch/clone`
      return readJson(await send({ method: 'POST', path, query, body, ...once(options), options }))
    },

    /**
     * Delete many QR codes. Final, except with `bin=true`: the codes can then be restored for 30
     * days. Send the ids either in the body or in the query. At most 1000 items. Valid items
     * succeed even if others fail; `errors` lists the failed ones.
     */
    async delete(
      orgId: string,
      body?: BatchDelete,
      query: BatchDeleteQuery = {},
      options?: CallOptions,
    ): Promise<BatchDeleteResult> {
      const path = pathOf`/organizations/${orgId}/qr-codes/batch`
      return readJson(await send({ method: 'DELETE', path, query, body, idempotent: false, options }))
    },

    /**
     * Download the pictures of many QR codes as one zip archive. At most 1000 codes; streamed.
     * Files are named after their codes. errors.json lists the codes that cannot be drawn; 404 if
     * no code can be drawn.
     */
    async download(orgId: string, body: BatchDownload, options?: CallOptions): Promise<StreamedFile> {
      const path = pathOf`/organizations/${orgId}/qr-codes/batch/download`
      const answer = await sendStreamed({ method: 'POST', path, body, idempotent: true, options })
      return streamedFile(answer, { contentType: 'application/zip', fileName: `${orgId}.zip` })
    },
  }
  return calls
}
