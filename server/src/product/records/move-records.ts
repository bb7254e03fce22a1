import type { Move, MoveSummary } from '@everscan/contract/moves/moves.ts'
import type { ImportRowErrorRow } from '../../catalogue/imports/imports.ts'
import type { MoveOutcome, MoveRow } from '../../catalogue/rows/import-row.ts'
import { noVisits } from '../../db/scans/moved-hits.ts'
import { failureRecord, rowErrorRecord } from './import-records.ts'
import { timestamp, timestampOrNull } from './timestamps.ts'

export function moveRecord(
  move: MoveRow,
  {
    errors = [],
    warnings = [],
  }: { errors?: readonly ImportRowErrorRow[]; warnings?: readonly ImportRowErrorRow[] } = {},
): Move {
  const { header, mapping, preview, visits } = move.input
  return {
    ...moveSummary(move),
    columns: [...header],
    mapping,
    // Moves of older releases have no problems in their previews, or no names.
    preview: preview.map((link) => ({ ...link, problem: link.problem ?? null, details: link.details ?? [] })),
    errors: errors.map((error) => rowErrorRecord(error, header)),
    errorsTruncated: move.progress.errorCount > errors.length,
    warnings: warnings.map((warning) => rowErrorRecord(warning, header)),
    visitColumns: visits?.columns ?? null,
    visitProblems: (visits?.problems ?? []).map((visit) => ({ problem: null, values: null, ...visit })),
  }
}

/** A move as lists return it. */
export function moveSummary({ id, status, input, progress, ...move }: MoveOutcome): MoveSummary {
  const { visits = noVisits } = progress
  return {
    id,
    status,
    source: input.source,
    fileName: input.fileName,
    domainId: input.domain?.id ?? null,
    dryRun: input.dryRun,
    totalRows: input.totalRows,
    processedRows: progress.processedRows,
    successCount: progress.successCount,
    errorCount: progress.errorCount,
    waitingCount: input.waits === true ? progress.successCount : 0,
    resolve: input.resolve ?? false,
    lookedRows: progress.lookedRows ?? 0,
    warningCount: progress.warningCount ?? 0,
    visitsFileName: input.visits?.fileName ?? null,
    totalVisits: input.visits?.total ?? 0,
    processedVisits: visits.processed,
    movedScans: visits.scans,
    movedBots: visits.bots,
    skippedVisits: visits.skipped,
    createdAt: timestamp(move.createdAtMs),
    completedAt: timestampOrNull(move.completedAtMs),
    ...failureRecord(progress),
  }
}
