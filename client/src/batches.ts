import type {
  BatchClone,
  BatchDeleteResult,
  BatchDownload,
  BatchUpdate,
} from '@everscan/contract/resources/batches.ts'
import type { TypedUpdateQrCode } from '@everscan/contract/resources/qr-codes.ts'
import { composed, given, once, type Composed, type CreateOptions, type Service } from './calling.ts'
import { batchesOf } from './calls/batches.ts'
import type { AnyCreateQrCode, BatchResult, BatchResultWithEtags } from './exact-types.ts'
import { pathOf, readJson, type CallOptions } from './send.ts'
import type { StreamedFile } from './streamed-files.ts'

/** Up to 1,000 QR codes in one call. */
export type Batches = Composed<typeof batchesOf, typeof ownCalls>

/** The changes to each code, as in an update of one code, and tags to add and to remove. */
export type BatchUpdates = TypedUpdateQrCode &
  Pick<NonNullable<BatchUpdate['updates']>, 'addTags' | 'removeTags'>

/** A code and its own changes; `ifMatch` is its ETag: `PRECONDITION_FAILED` if it has changed. */
export type BatchChange = { id: string; updates: BatchUpdates; ifMatch?: string | undefined }

/** `atomic`: all or none. One failure rejects the call with a `BatchRejectedError` for all. */
export type BatchOptions = CallOptions & { atomic?: boolean | undefined }

/** With an `idempotencyKey` the service runs a batch once, even if it comes again within 24 h. */
export type BatchCreateOptions = BatchOptions & CreateOptions

/** The format of the pictures, as in a download of one code. */
export type BatchPictures = Omit<BatchDownload, 'ids'>

export const batchCalls: (service: Service) => Batches = composed(batchesOf, ownCalls)

function ownCalls(calls: ReturnType<typeof batchesOf>, { send }: Service) {
  return {
    /** Creates codes. An error in the result has the index in `qrCodes`, from 0. */
    async create(
      orgId: string,
      qrCodes: readonly AnyCreateQrCode[],
      options?: BatchCreateOptions,
    ): Promise<BatchResult> {
      return calls.create(orgId, { qrCodes: [...qrCodes] }, atomicOf(options), options)
    },

    /** Applies the same changes to several codes. */
    async update(
      orgId: string,
      ids: readonly string[],
      updates: BatchUpdates,
      options?: BatchOptions,
    ): Promise<BatchResult> {
      const path = pathOf`/organizations/${orgId}/qr-codes/batch/update`
      const query = atomicOf(options)
      const body = { ids, updates }
      return readJson(await send({ method: 'POST', path, query, body, idempotent: true, options }))
    },

    /** Applies changes of its own to each code. No code may occur twice. */
    async change(
      orgId: string,
      changes: readonly BatchChange[],
      options?: BatchCreateOptions,
    ): Promise<BatchResultWithEtags> {
      const path = pathOf`/organizations/${orgId}/qr-codes/batch/update`
      const { headers, idempotent: isOnce } = once(options)
      // A repeat after a lost response would find other ETags.
      const idempotent = isOnce || changes.every(({ ifMatch }) => ifMatch === undefined)
      const query = { ...atomicOf(options), etags: true }
      return readJson(
        await send({ method: 'POST', path, query, body: { changes }, headers, idempotent, options }),
      )
    },

    /** Reads codes by id, by short code or both: at most 100. */
    async read(
      orgId: string,
      { ids, shortCodes }: { ids?: readonly string[]; shortCodes?: readonly string[] },
      options?: CallOptions,
    ): Promise<BatchResultWithEtags> {
      const query = { ids: ids?.join(',') || undefined, shortCodes: shortCodes?.join(',') || undefined }
      return calls.read(orgId, given(query), options)
    },

    /** Copies codes. Each copy has its own short code and no scans. */
    async clone(
      orgId: string,
      ids: readonly string[],
      how: Omit<BatchClone, 'ids'> = {},
      options?: BatchCreateOptions,
    ): Promise<BatchResult> {
      return calls.clone(orgId, { ids: [...ids], ...how }, atomicOf(options), options)
    },

    /**
     * Streams the pictures of codes as a zip archive. Codes that cannot be drawn are listed in its
     * errors.json. The body rejects if the stream breaks off.
     */
    async download(
      orgId: string,
      ids: readonly string[],
      pictures: BatchPictures = {},
      options?: CallOptions,
    ): Promise<StreamedFile> {
      return calls.download(orgId, { ids: [...ids], ...pictures }, options)
    },

    /**
     * Deletes codes. Their short URLs stop working. Final, except with `bin`: see `client.bin`.
     */
    async delete(
      orgId: string,
      ids: readonly string[],
      options?: BatchOptions & { bin?: boolean | undefined },
    ): Promise<BatchDeleteResult> {
      const query = given({ atomic: options?.atomic, bin: options?.bin })
      return calls.delete(orgId, { ids: [...ids] }, query, options)
    },
  }
}

function atomicOf(options: BatchOptions | undefined) {
  return given({ atomic: options?.atomic })
}
