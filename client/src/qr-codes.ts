import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import type { DownloadQuery } from '@everscan/contract/resources/downloads.ts'
import type { PrintLabelSheet } from '@everscan/contract/resources/label-sheets.ts'
import type {
  CreateQrCodeOf,
  DeletedQrCode,
  QrCodeOf,
  TypedQrCode,
} from '@everscan/contract/resources/qr-codes.ts'
import {
  composed,
  given,
  type ChangeOptions,
  type Composed,
  type CreateOptions,
  type Service,
} from './calling.ts'
import { qrCodesOf } from './calls/qr-codes.ts'
import type { AnyCreateQrCode } from './exact-types.ts'
import { fileNameOf } from './file-names.ts'
import { pathOf, type CallOptions } from './send.ts'

/** QR codes of an organization. */
export type QrCodes = Composed<typeof qrCodesOf, typeof ownCalls>

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

export const qrCodeCalls: (service: Service) => QrCodes = composed(qrCodesOf, ownCalls)

function ownCalls(calls: ReturnType<typeof qrCodesOf>, { send }: Service) {
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
      const created: object = await calls.create(orgId, body as AnyCreateQrCode, options)
      return created as QrCodeOf<T>
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
      return calls.delete(orgId, id, given({ bin: options?.bin }), options)
    },

    /** Restores a version of a code's history as a new version. Returns the complete record. */
    async rollBack(
      orgId: string,
      id: string,
      version: number,
      options?: ChangeOptions,
    ): Promise<TypedQrCode> {
      return calls.rollBack(orgId, id, { version }, options)
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
  }
}
