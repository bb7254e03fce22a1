import type {
  BatchClone,
  BatchDeleteResult,
  BatchDownload,
  BatchError,
  BatchUpdate,
} from '@everscan/contract/resources/batches.ts'
import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import type { CreateQrCodeOf, TypedQrCode, TypedUpdateQrCode } from '@everscan/contract/resources/qr-codes.ts'
import { streamedFile, type StreamedFile } from './streamed-files.ts'
import { pathOf, readJson, type CallOptions, type Send, type SendStreamed } from './send.ts'

/** Up to 1,000 QR codes in one call. */
export type Batches = ReturnType<typeof batchCalls>

/** A body that creates a code of any type, with the content of that type. */
export type AnyCreateQrCode = { [T in QrCodeType]: CreateQrCodeOf<T> }[QrCodeType]

/** The result of a batch: the codes as they are now, in the requested order, and the errors. */
export type BatchResult = {
  requested: number
  successCount: number
  errorCount: number
  errors: BatchError[]
  data: TypedQrCode[]
}

/** The changes to each code, as in an update of one code, and tags to add and to remove. */
export type BatchUpdates = TypedUpdateQrCode &
  Pick<NonNullable<BatchUpdate['updates']>, 'addTags' | 'removeTags'>

/** A code and its own changes; `ifMatch` is its ETag: `PRECONDITION_FAILED` if it has changed. */
export type BatchChange = { id: string; updates: BatchUpdates; ifMatch?: string | undefined }

/** A batch result with the ETag of each code in `data`, in the same order. */
export type BatchResultWithEtags = BatchResult & { etags: string[] }

/** `atomic`: all or none. One failure rejects the call with a `BatchRejectedError` for all. */
export type BatchOptions = CallOptions & { atomic?: boolean | undefined }

/** With an `idempotencyKey` the service runs a batch once, even if it comes again within 24 h. */
export type BatchCreateOptions = BatchOptions & { idempotencyKey?: string | undefined }

/** The format of the pictures, as in a download of one code. */
export type BatchPictures = Omit<BatchDownload, 'ids'>

export function batchCalls(send: Send, sendStreamed: SendStreamed) {
  async function createBatch(
    path: string,
    body: unknown,
    options: BatchCreateOptions | undefined,
  ): Promise<BatchResult> {
    const key = options?.idempotencyKey
    const headers = { 'idempotency-key': key }
    const query = { atomic: options?.atomic }
    return readJson(
      await send({ method: 'POST', path, query, body, headers, idempotent: key !== undefined, options }),
    )
  }

  return {
    /** Creates codes. An error in the result has the index in `qrCodes`, from 0. */
    async create(
      orgId: string,
      qrCodes: readonly AnyCreateQrCode[],
      options?: BatchCreateOptions,
    ): Promise<BatchResult> {
      return createBatch(pathOf`/organizations/${orgId}/qr-codes/batch`, { qrCodes }, options)
    },

    /** Applies the same changes to several codes. */
    async update(
      orgId: string,
      ids: readonly string[],
      updates: BatchUpdates,
      options?: BatchOptions,
    ): Promise<BatchResult> {
      const path = pathOf`/organizations/${orgId}/qr-codes/batch/update`
      const query = { atomic: options?.atomic }
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
      const key = options?.idempotencyKey
      // A repeat after a lost response would find other ETags.
      const idempotent = key !== undefined || changes.every(({ ifMatch }) => ifMatch === undefined)
      const query = { atomic: options?.atomic, etags: true }
      const headers = { 'idempotency-key': key }
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
      const path = pathOf`/organizations/${orgId}/qr-codes/batch`
      const query = { ids: ids?.join(',') || undefined, shortCodes: shortCodes?.join(',') || undefined }
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /** Copies codes. Each copy has its own short code and no scans. */
    async clone(
      orgId: string,
      ids: readonly string[],
      how: Omit<BatchClone, 'ids'> = {},
      options?: BatchCreateOptions,
    ): Promise<BatchResult> {
      return createBatch(pathOf`/organizations/${orgId}/qr-codes/batch/clone`, { ids, ...how }, options)
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
      const path = pathOf`/organizations/${orgId}/qr-codes/batch/download`
      const body = { ids, ...pictures }
      const answer = await sendStreamed({ method: 'POST', path, body, idempotent: true, options })
      return streamedFile(answer, { contentType: 'application/zip', fileName: 'qr-codes.zip' })
    },

    /**
     * Deletes codes. Their short URLs stop working. Final, except with `bin`: see `client.bin`.
     */
    async delete(
      orgId: string,
      ids: readonly string[],
      options?: BatchOptions & { bin?: boolean | undefined },
    ): Promise<BatchDeleteResult> {
      const path = pathOf`/organizations/${orgId}/qr-codes/batch`
      const query = { atomic: options?.atomic, bin: options?.bin }
      return readJson(
        await send({ method: 'DELETE', path, query, body: { ids }, idempotent: false, options }),
      )
    },
  }
}
