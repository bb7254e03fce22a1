import type { AnalyticsQuery, QrCodeAnalytics } from '@everscan/contract/resources/analytics.ts'
import type { DownloadQuery } from '@everscan/contract/resources/downloads.ts'
import type { PrintLabelSheet } from '@everscan/contract/resources/label-sheets.ts'
import type { PageQuery, Pagination } from '@everscan/contract/schema/pages.ts'
import type { QrCodeHistory, RollbackQrCode } from '@everscan/contract/resources/qr-code-history.ts'
import type { QrCodeType } from '@everscan/contract/code-types/qr-code-data.ts'
import type {
  CreateQrCodeOf,
  DeletedQrCode,
  ListQrCodesQuery,
  QrCodeOf,
  TypedQrCode,
  TypedUpdateQrCode,
} from '@everscan/contract/resources/qr-codes.ts'
import { fileNameOf } from './file-names.ts'
import { pathOf, readJson, type Answer, type CallOptions, type Send } from './send.ts'

/** QR codes of an organization. */
export type QrCodes = ReturnType<typeof qrCodeCalls>

/** A page of QR codes. */
export type TypedQrCodePage = { data: TypedQrCode[]; pagination: Pagination }

/** A picture, whole. */
export type Download = {
  bytes: Uint8Array<ArrayBuffer>
  /** Media type, like `image/png`. */
  contentType: string
  /** What the service would call the file, like `Spring poster.png`. */
  fileName: string
}

/** Sheets of labels, as a PDF. */
export type LabelSheet = Download & {
  /** Of how many codes the caption lacks characters that cannot be drawn. */
  captionsIncomplete: number
}

/** A change that is only made when the record is still the one that was read: `ifMatch: etagOf(code)`. */
export type ChangeOptions = CallOptions & { ifMatch?: string | undefined }

/** A creation that is done once however often it is sent within 24 hours. */
export type CreateOptions = CallOptions & { idempotencyKey?: string | undefined }

const etags = new WeakMap<object, string>()

/** The version of a record as this client read it, for `ifMatch`; undefined for a record of another origin, or in a list. */
export function etagOf(record: object): string | undefined {
  return etags.get(record)
}

export function qrCodeCalls(send: Send) {
  async function list(
    orgId: string,
    query: ListQrCodesQuery = {},
    options?: CallOptions,
  ): Promise<TypedQrCodePage> {
    const path = pathOf`/organizations/${orgId}/qr-codes`
    return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
  }

  return {
    /** Creates a code. With an `idempotencyKey` it may be sent again safely, and is when the connection breaks. */
    async create<T extends QrCodeType>(
      orgId: string,
      body: CreateQrCodeOf<T>,
      options?: CreateOptions,
    ): Promise<QrCodeOf<T>> {
      const key = options?.idempotencyKey
      const path = pathOf`/organizations/${orgId}/qr-codes`
      const headers = { 'idempotency-key': key }
      const answer = await send({
        method: 'POST',
        path,
        body,
        headers,
        idempotent: key !== undefined,
        options,
      })
      return withEtag(readJson(answer), answer)
    },

    /** One code. */
    async read(orgId: string, id: string, options?: CallOptions): Promise<TypedQrCode> {
      const path = pathOf`/organizations/${orgId}/qr-codes/${id}`
      const answer = await send({ method: 'GET', path, idempotent: true, options })
      return withEtag(readJson(answer), answer)
    },

    /** A page of codes, newest first unless `sort` and `order` say otherwise. */
    list,

    /**
     * Every code, page after page, oldest first unless `sort` and `order` say otherwise. A code deleted meanwhile moves the later
     * ones up, so one may be passed over; collect first, then delete.
     */
    async *iterate(
      orgId: string,
      query: Omit<ListQrCodesQuery, 'page'> = {},
      options?: CallOptions,
    ): AsyncGenerator<TypedQrCode, void, undefined> {
      for (let page = 1; ; page++) {
        const { data, pagination } = await list(orgId, { limit: 100, order: 'asc', ...query, page }, options)
        yield* data
        if (!pagination.hasNext) return
      }
    },

    /** Changes the fields given; `style` and `metadata` merge by key, and null takes one away. Returns the whole record. */
    async update(
      orgId: string,
      id: string,
      body: TypedUpdateQrCode,
      options?: ChangeOptions,
    ): Promise<TypedQrCode> {
      const path = pathOf`/organizations/${orgId}/qr-codes/${id}`
      const answer = await send({ method: 'PUT', path, body, ...conditionOf(options), options })
      return withEtag(readJson(answer), answer)
    },

    /** Deletes a code, for ever; its short URL stops working. After a broken connection a repeat may find it gone (404). */
    async delete(orgId: string, id: string, options?: ChangeOptions): Promise<DeletedQrCode> {
      const path = pathOf`/organizations/${orgId}/qr-codes/${id}`
      return readJson(await send({ method: 'DELETE', path, ...conditionOf(options), options }))
    },

    /** A page of the versions of a code, newest first. */
    async history(
      orgId: string,
      id: string,
      query: PageQuery = {},
      options?: CallOptions,
    ): Promise<QrCodeHistory> {
      const path = pathOf`/organizations/${orgId}/qr-codes/${id}/history`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /** Takes a code back to a version of its history, as a new version, and gives the whole record. */
    async rollBack(
      orgId: string,
      id: string,
      version: number,
      options?: ChangeOptions,
    ): Promise<TypedQrCode> {
      const path = pathOf`/organizations/${orgId}/qr-codes/${id}/rollback`
      const body: RollbackQrCode = { version }
      const answer = await send({ method: 'POST', path, body, ...conditionOf(options), options })
      return withEtag(readJson(answer), answer)
    },

    /** The picture of a code: a PNG of 1024 px unless `query` says otherwise. */
    async download(
      orgId: string,
      id: string,
      query: DownloadQuery = {},
      options?: CallOptions,
    ): Promise<Download> {
      const path = pathOf`/organizations/${orgId}/qr-codes/${id}/download`
      const { bytes, headers } = await send({ method: 'GET', path, query, idempotent: true, options })
      const contentType = headers.get('content-type') ?? 'application/octet-stream'
      return { bytes, contentType, fileName: fileNameOf(headers.get('content-disposition')) ?? id }
    },

    /** Codes on sheets of labels, as a PDF to print at 100 %: on a common `sheet` by its number, or on a `grid` of your own. */
    async labelSheet(orgId: string, body: PrintLabelSheet, options?: CallOptions): Promise<LabelSheet> {
      const path = pathOf`/organizations/${orgId}/qr-codes/label-sheets`
      const { bytes, headers } = await send({ method: 'POST', path, body, idempotent: true, options })
      return {
        bytes,
        contentType: headers.get('content-type') ?? 'application/pdf',
        fileName: fileNameOf(headers.get('content-disposition')) ?? 'Labels.pdf',
        captionsIncomplete: Number(headers.get('captions-incomplete') ?? 0),
      }
    },

    /** The figures of a code over a period: the last 30 days by day unless `query` says otherwise. */
    async analytics(
      orgId: string,
      id: string,
      query: AnalyticsQuery = {},
      options?: CallOptions,
    ): Promise<QrCodeAnalytics> {
      const path = pathOf`/organizations/${orgId}/qr-codes/${id}/analytics`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },
  }
}

/** A conditional change that is sent twice fails the second time, so it is not idempotent. */
function conditionOf(options: ChangeOptions | undefined) {
  return { headers: { 'if-match': options?.ifMatch }, idempotent: options?.ifMatch === undefined }
}

function withEtag<T extends object>(record: T, answer: Answer): T {
  const etag = answer.headers.get('etag')
  if (etag !== null) etags.set(record, etag)
  return record
}
