import type { ArchiveImport } from '@everscan/contract/archives/archive-imports.ts'
import type { ArchiveImportInput, ArchiveImportRow } from '../../catalogue/imports/archive-imports.ts'
import { noCounts } from '../../catalogue/imports/archive-imports.ts'
import { timestamp, timestampOrNull } from './timestamps.ts'

export function archiveImportRecord(job: ArchiveImportRow): ArchiveImport {
  return {
    id: job.id,
    organizationId: job.organizationId,
    status: job.status,
    ...inputRecord(job.input),
    done: job.progress.done,
    problem: job.progress.problem ?? null,
    details: [...(job.progress.details ?? [])],
    createdAt: timestamp(job.createdAtMs),
    completedAt: timestampOrNull(job.completedAtMs),
  }
}

/** The result of a dry run. `organizationId` is null if the import would make an organization. */
export function checkedArchiveRecord(
  input: Omit<ArchiveImportInput, 'origin'>,
  organizationId: string | null,
): ArchiveImport {
  return {
    id: null,
    organizationId,
    status: 'CHECKED',
    ...inputRecord(input),
    done: noCounts,
    problem: null,
    details: [],
    createdAt: null,
    completedAt: null,
  }
}

function inputRecord(input: Omit<ArchiveImportInput, 'origin'>) {
  const {
    fileName,
    ids = 'kept',
    organizationName,
    publicUrl,
    samePictures,
    total,
    waitingCount = 0,
    leftOutCount,
    leftOut,
  } = input
  return {
    fileName,
    ids,
    organizationName,
    publicUrl,
    exportedAt: timestamp(input.exportedAtMs),
    samePictures,
    total,
    waitingCount,
    leftOutCount,
    // Jobs of older releases have a sentence only.
    leftOut: leftOut.map((line) => ({ path: '', problem: null, values: null, ...line })),
  }
}
