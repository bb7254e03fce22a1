import type { AnalyticsQuery, QrCodeAnalytics } from '@everscan/contract/resources/analytics.ts'
import type { DownloadQuery } from '@everscan/contract/resources/downloads.ts'
import type { PrintLabelSheet } from '@everscan/contract/resources/label-sheets.ts'
import type {
  ReplayRules,
  RulesReplay,
  SimulatedAnswer,
  SimulateRules,
} from '@everscan/contract/rules/rule-trials.ts'
import type { PageQuery, Pagination } from '@everscan/contract/schema/pages.ts'
import type { QrCodeHistory, RollbackQrCode } from '@everscan/contract/resources/qr-code-history.ts'
import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import type {
  CreateQrCodeOf,
  DeletedQrCode,
  ListQrCodesQuery,
  QrCodeOf,
  TypedQrCode,
  TypedUpdateQrCode,
} from '@everscan/contract/resources/qr-codes.ts'
import { fileNameOf } from './file-names.ts'
import { iterate } from './iterate.ts'
import { pathOf, readJson, type Answer, type CallOptions, type Send } from './send.ts'

/** QR codes of an organization. */
export type QrCodes = ReturnType<typeof qrCodeCalls>

/** A page of QR codes. */
export type TypedQrCodePage = { data: TypedQrCode[]; pagination: Pagination }

/** A complete picture. */
export type Download = {
  bytes: Uint8Array<ArrayBuffer>
  /** Media type, like `image/png`. */
  contentType: string
  /** The file name that the service suggests, like `Spring poster.png`. */
  fileName: string
}

/** Sheets of labels, as a PDF. */
export type LabelSheet = Download & {
  /** The number of codes whose captions lack characters that cannot be drawn. */
  captionsIncomplete: number
}

/**
 * With `ifMatch: etagOf(code)` the service makes the change only if the record hasn't changed since
 * it was read.
 */
export type ChangeOptions = CallOptions & { ifMatch?: string | undefined }

/** With an `idempotencyKey` the service creates once, even if the call comes again within 24 h. */
export type CreateOptions = CallOptions & { idempotencyKey?: string | undefined }

const etags = new WeakMap<object, string>()

/** Returns the version of a record for `ifMatch`. Undefined for a record from a list. */
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
    /**
     * Creates a code. An `idempotencyKey` makes retries safe, and the client then retries when the
     * connection breaks.
     */
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

    /** Returns a code. */
    async read(orgId: string, id: string, options?: CallOptions): Promise<TypedQrCode> {
      const path = pathOf`/organizations/${orgId}/qr-codes/${id}`
      const answer = await send({ method: 'GET', path, idempotent: true, options })
      return withEtag(readJson(answer), answer)
    },

    /** Returns a page of codes, by default newest first. */
    list,

    /**
     * Yields every code, page by page, by default oldest first. Deleting a code moves later codes
     * up, so iteration may skip one. Collect the codes first, then delete.
     */
    iterate(
      orgId: string,
      query: Omit<ListQrCodesQuery, 'page'> = {},
      options?: CallOptions,
    ): AsyncGenerator<TypedQrCode, void, undefined> {
      return iterate(({ page, limit }) => list(orgId, { limit, order: 'asc', ...query, page }, options))
    },

    /**
     * Changes the given fields. `style` and `metadata` merge by key, and null removes a key.
     * Returns the complete record.
     */
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

    /**
     * Deletes a code. Its short URL stops working. Final, except with `bin`: see `client.bin`. A
     * retry may get 404.
     */
    async delete(
      orgId: string,
      id: string,
      options?: ChangeOptions & { bin?: boolean | undefined },
    ): Promise<DeletedQrCode> {
      const path = pathOf`/organizations/${orgId}/qr-codes/${id}`
      const query = { bin: options?.bin }
      return readJson(await send({ method: 'DELETE', path, query, ...conditionOf(options), options }))
    },

    /** Returns a page of the versions of a code, newest first. */
    async history(
      orgId: string,
      id: string,
      query: PageQuery = {},
      options?: CallOptions,
    ): Promise<QrCodeHistory> {
      const path = pathOf`/organizations/${orgId}/qr-codes/${id}/history`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /** Restores a version of a code's history as a new version. Returns the complete record. */
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

    /**
     * Returns what a visitor would get, and why. With `rules` or `access`, judges those, which are
     * not saved. Changes nothing.
     */
    async simulateRules(
      orgId: string,
      id: string,
      body: SimulateRules,
      options?: CallOptions,
    ): Promise<SimulatedAnswer> {
      const path = pathOf`/organizations/${orgId}/qr-codes/${id}/rules/simulate`
      return readJson(await send({ method: 'POST', path, body, idempotent: true, options }))
    },

    /** Returns how the scans of a period would have been divided by rules, beside how they were. */
    async replayRules(
      orgId: string,
      id: string,
      body: ReplayRules,
      options?: CallOptions,
    ): Promise<RulesReplay> {
      const path = pathOf`/organizations/${orgId}/qr-codes/${id}/rules/replay`
      return readJson(await send({ method: 'POST', path, body, idempotent: true, options }))
    },

    /** Returns the picture of a code, by default a PNG of 1024 px. */
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

    /**
     * Returns codes on sheets of labels as a PDF, to print at 100 %. `sheet` is the number of a
     * common sheet, `grid` is a custom layout.
     */
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

    /** Returns the analytics of a code over a period, by default the last 30 days by day. */
    async analytics(
      orgId: string,
      id: string,
      query: Omit<AnalyticsQuery, 'format'> = {},
      options?: CallOptions,
    ): Promise<QrCodeAnalytics> {
      const path = pathOf`/organizations/${orgId}/qr-codes/${id}/analytics`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },
  }
}

/** A conditional change fails if it is sent twice, so it is not idempotent. */
function conditionOf(options: ChangeOptions | undefined) {
  return { headers: { 'if-match': options?.ifMatch }, idempotent: options?.ifMatch === undefined }
}

function withEtag<T extends object>(record: T, answer: Answer): T {
  const etag = answer.headers.get('etag')
  if (etag !== null) etags.set(record, etag)
  return record
}
