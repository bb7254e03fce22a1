// Types that tie the content of a code to its type, as the schemas of the contract cannot.
import type { BatchError } from '@everscan/contract/resources/batches.ts'
import type { CreateQrCodeOf, TypedQrCode } from '@everscan/contract/resources/qr-codes.ts'
import type { Pagination } from '@everscan/contract/schema/pages.ts'
import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'

export type { TypedQrCode, TypedUpdateQrCode } from '@everscan/contract/resources/qr-codes.ts'

/** A body that creates a code of any type, with the content of that type. */
export type AnyCreateQrCode = { [T in QrCodeType]: CreateQrCodeOf<T> }[QrCodeType]

/** A page of QR codes. */
export type TypedQrCodePage = { data: TypedQrCode[]; pagination: Pagination }

/** The result of a batch: the codes as they are now, in the requested order, and the errors. */
export type BatchResult = {
  requested: number
  successCount: number
  errorCount: number
  errors: BatchError[]
  data: TypedQrCode[]
}

/** A batch result with the ETag of each code in `data`, in the same order. */
export type BatchResultWithEtags = BatchResult & { etags: string[] }
