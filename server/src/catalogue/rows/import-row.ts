import type { ImportStatus } from '@everscan/contract/resources/bulk-imports.ts'
import type { QrCodeType } from '@everscan/contract/code-types/qr-code-data.ts'
import type { Scannability, Style } from '@everscan/contract/resources/styles.ts'
import type { ChangeOrigin } from './change-origins.ts'

/** Names an import job, also before it is there. */
export type ImportKey = { organizationId: string; id: string }

/** What an import is about. */
export type ImportInput = {
  type: QrCodeType
  dryRun: boolean
  fileName: string | null
  /** The first row of the file as it is there. */
  header: readonly string[]
  /** The column that each of them means; null: one that is passed over. */
  columns: readonly (string | null)[]
  totalRows: number
  /** Of codes whose row names none. */
  folderId?: string
  /** Of every code that it makes, and what came of reading a picture of it back. */
  look?: { style: Style; scannability: Scannability }
  /** Who started it; absent, as the look is, in jobs of an older release. */
  origin?: ChangeOrigin
}

export type ImportProgress = {
  processedRows: number
  successCount: number
  errorCount: number
  failureReason?: string
}

/** An import job as the catalogue has it. */
export type ImportJobRow = ImportKey & {
  status: ImportStatus
  input: ImportInput
  progress: ImportProgress
  createdAtMs: number
  completedAtMs: number | null
}
