import type {
  ImportJob,
  ImportJobSummary,
  ImportRowError,
} from '@everscan/contract/resources/bulk-imports.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { ImportRowErrorRow } from '../../catalogue/imports/imports.ts'
import type { ImportJobRow, ImportProgress } from '../../catalogue/rows/import-row.ts'
import { timestamp, timestampOrNull } from './timestamps.ts'

export function importRecord(job: ImportJobRow, errors: readonly ImportRowErrorRow[]): ImportJob {
  return {
    ...importSummary(job),
    errors: errors.map((error) => rowErrorRecord(error, job.input.columns)),
    errorsTruncated: job.progress.errorCount > errors.length,
  }
}

/** `columns` are the names of the cells of its row; null: not shown. */
export function rowErrorRecord(
  { row, message, line, column, code, details, cells }: ImportRowErrorRow,
  columns: readonly (string | null)[],
): ImportRowError {
  return { row, error: message, line, column, code, details: [...details], values: valuesOf(cells, columns) }
}

function valuesOf(
  cells: readonly string[],
  columns: readonly (string | null)[],
): Record<string, string> | null {
  const named = columns.flatMap((column, at) => (column === null ? [] : [[column, cells[at] ?? ''] as const]))
  const chars = named.reduce((sum, [, cell]) => sum + cell.length, 0)
  return chars > limits.importErrorCharsMax ? null : Object.fromEntries(named)
}

/** Why a job failed, in a sentence and by name. */
export function failureRecord({ failureReason, failure }: ImportProgress) {
  return {
    failureReason: failureReason ?? null,
    problem: failure?.problem ?? null,
    values: failure?.values ?? null,
  }
}

/** A job as lists return it. */
export function importSummary({ id, status, input, progress, ...job }: ImportJobRow): ImportJobSummary {
  return {
    id,
    status,
    type: input.type,
    fileName: input.fileName,
    dryRun: input.dryRun,
    styleId: input.styleId ?? null,
    folderId: input.folderId ?? null,
    repairOf: input.repairOf ?? null,
    totalRows: input.totalRows,
    processedRows: progress.processedRows,
    successCount: progress.successCount,
    errorCount: progress.errorCount,
    createdAt: timestamp(job.createdAtMs),
    completedAt: timestampOrNull(job.completedAtMs),
    ...failureRecord(progress),
  }
}
