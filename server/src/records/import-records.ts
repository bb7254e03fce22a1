import type {
  ImportJob,
  ImportJobSummary,
  ImportRowError,
} from '@everscan/contract/resources/bulk-imports.ts'
import type { ImportRowErrorRow } from '../catalogue/imports/imports.ts'
import type { ImportJobRow } from '../catalogue/rows/import-row.ts'
import { timestamp, timestampOrNull } from './timestamps.ts'

export function importRecord(job: ImportJobRow, errors: readonly ImportRowErrorRow[]): ImportJob {
  return {
    ...importSummary(job),
    errors: errors.map(rowErrorRecord),
    errorsTruncated: job.progress.errorCount > errors.length,
  }
}

export function rowErrorRecord({ row, message, line, column, code }: ImportRowErrorRow): ImportRowError {
  return { row, error: message, line, column, code }
}

/** A job as lists return it. */
export function importSummary({ id, status, input, progress, ...job }: ImportJobRow): ImportJobSummary {
  return {
    id,
    status,
    type: input.type,
    fileName: input.fileName,
    dryRun: input.dryRun,
    totalRows: input.totalRows,
    processedRows: progress.processedRows,
    successCount: progress.successCount,
    errorCount: progress.errorCount,
    createdAt: timestamp(job.createdAtMs),
    completedAt: timestampOrNull(job.completedAtMs),
    failureReason: progress.failureReason ?? null,
  }
}
