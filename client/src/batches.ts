import type {
  BatchClone,
  BatchDeleteResult,
  BatchDownload,
  BatchError,
  BatchUpdate,
} from '@everscan/contract/resources/batches.ts'
import type { QrCodeType } from '@everscan/contract/code-types/qr-code-data.ts'
import type { CreateQrCodeOf, TypedQrCode, TypedUpdateQrCode } from '@everscan/contract/resources/qr-codes.ts'
import { streamedFile, type StreamedFile } from './streamed-files.ts'
import { pathOf, readJson, type CallOptions, type Send, type SendStreamed } from './send.ts'

/** Up to 1,000 QR codes in one call. */
export type Batches = ReturnType<typeof batchCalls>

/** A body that creates a code of any type, with the content of that type. */
export type AnyCreateQrCode = { [T in QrCodeType]: CreateQrCodeOf<T> }[QrCodeType]

/** What became of a batch: the codes as they are now, in the order asked for, and what is wrong with the others. */
export type BatchResult = {
  requested: number
  successCount: number
  errorCount: number
  errors: BatchError[]
  data: TypedQrCode[]
}

/** What changes of each code, as in an update of one; and tags to add and to remove. */
export type BatchUpdates = TypedUpdateQrCode & Pick<BatchUpdate['updates'], 'addTags' | 'removeTags'>

/** `atomic`: all or none, and with one that fails the call rejects with a `BatchRejectedError` that names each. */
export type BatchOptions = CallOptions & { atomic?: boolean | undefined }

/** A batch that is done once however often it is sent within 24 hours. */
export type BatchCreateOptions = BatchOptions & { idempotencyKey?: string | undefined }

/** Which pictures, as a download of one takes it. */
export type BatchPictures = Omit<BatchDownload, 'ids'>

export function batchCalls(send: Send, sendStreamed: SendStreamed) {
  async function make(
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
    /** Creates codes. An error of the result names the place in `qrCodes`, from 0. */
    async create(
      orgId: string,
      qrCodes: readonly AnyCreateQrCode[],
      options?: BatchCreateOptions,
    ): Promise<BatchResult> {
      return make(pathOf`/organizations/${orgId}/qr-codes/batch`, { qrCodes }, options)
    },

    /** Changes codes alike. */
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

    /** Makes copies of codes, each with a short code of its own and no scans. */
    async clone(
      orgId: string,
      ids: readonly string[],
      how: Omit<BatchClone, 'ids'> = {},
      options?: BatchCreateOptions,
    ): Promise<BatchResult> {
      return make(pathOf`/organizations/${orgId}/qr-codes/batch/clone`, { ids, ...how }, options)
    },

    /** The pictures of codes as a zip archive, as a stream; what cannot be drawn is in its errors.json. The body rejects when it breaks off. */
    async download(
      orgId: string,
      ids: readonly string[],
      pictures: BatchPictures = {},
      options?: CallOptions,
    ): Promise<StreamedFile> {
      const path = pathOf`/organizations/${orgId}/qr-codes/batch/download`
      const wanted = { ids, ...pictures }
      const answer = await sendStreamed({ method: 'POST', path, body: wanted, idempotent: true, options })
      return streamedFile(answer, { contentType: 'application/zip', fileName: 'qr-codes.zip' })
    },

    /** Deletes codes, for ever; their short URLs stop working. */
    async delete(orgId: string, ids: readonly string[], options?: BatchOptions): Promise<BatchDeleteResult> {
      const path = pathOf`/organizations/${orgId}/qr-codes/batch`
      const query = { atomic: options?.atomic }
      return readJson(
        await send({ method: 'DELETE', path, query, body: { ids }, idempotent: false, options }),
      )
    },
  }
}
