import type { Problem, Values } from '@everscan/contract/problems/problem.ts'
import type { ImportRepairs, ImportStatus } from '@everscan/contract/resources/bulk-imports.ts'
import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import type { Scannability, Style } from '@everscan/contract/resources/styles.ts'
import type { ChangeOrigin } from './change-origins.ts'

/** Identifies an import job, also before the job exists. */
export type ImportKey = { organizationId: string; id: string }

/** The input of an import. */
export type ImportInput = {
  type: QrCodeType
  dryRun: boolean
  fileName: string | null
  /** The first row of the file, unchanged. */
  header: readonly string[]
  /** The field that each column maps to; null for an ignored column. */
  columns: readonly (string | null)[]
  totalRows: number
  /** The style that the caller chose; absent: the default style. */
  styleId?: string
  /** The folder of codes whose row names none. */
  folderId?: string
  /** Values that replace those of the file, by row and column. */
  repairs?: ImportRepairs
  /** The import whose failed rows it repairs. */
  repairOf?: string
  /**
   * The style of every code that the import creates, and the result of verifying a picture in it.
   */
  look?: { style: Style; scannability: Scannability }
  /** The default domain of the organization at the start; absent: PUBLIC_URL. */
  domain?: { id: string; hostname: string }
  /** The actor who started the import; absent, as `look` is, in jobs of an older release. */
  origin?: ChangeOrigin
}

export type ImportProgress = {
  processedRows: number
  successCount: number
  errorCount: number
  failureReason?: string
  /** The name of that reason, and its values; absent in jobs of an older release. */
  failure?: { problem: string; values: Values }
}

/** Returns why a job failed, as its progress has it. */
export function failureOf({ message, problem, values }: Problem) {
  return { failureReason: message, failure: { problem, values } } satisfies Partial<ImportProgress>
}

/** A stored import job. */
export type ImportJobRow = ImportKey & {
  status: ImportStatus
  input: ImportInput
  progress: ImportProgress
  createdAtMs: number
  completedAtMs: number | null
}
