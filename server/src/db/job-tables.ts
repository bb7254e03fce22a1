/** The tables of jobs and of the imports that they make. */
export type JobTables = {
  jobs: JobsTable
  import_chunks: ImportChunksTable
  import_row_errors: ImportRowErrorsTable
  moved_codes: MovedCodesTable
  archive_ids: ArchiveIdsTable
}

type JobsTable = {
  organization_id: string
  id: string
  kind: string
  status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'CANCELLED'
  /** JSON: the input of the job, and its progress. */
  input: string
  progress: string
  attempts: number
  run_at_ms: number
  /** See lease.ts. */
  lease_number: number
  lease_until_ms: number | null
  created_at_ms: number
  updated_at_ms: number
  completed_at_ms: number | null
}

/**
 * The rows of a file that are waiting for import. The transaction that imports a chunk deletes it.
 */
type ImportChunksTable = {
  organization_id: string
  /** The job of the chunk, which is created after the whole file was read. */
  job_id: string
  /** Counts from 0. */
  chunk: number
  /** JSON of ImportRow[]. */
  rows: string
  created_at_ms: number
}

type ImportRowErrorsTable = {
  organization_id: string
  job_id: string
  /** The data row, from 1. */
  row_number: number
  /** The line of the file, from 1. */
  line: number
  column_name: string | null
  code: string
  message: string
  /** JSON of string[]: the row of the file, unchanged. */
  cells: string
  /** JSON: the problems by name; null if an earlier release stored the row. */
  details: string | null
}

/** Which ids the records of an archive got here, some hundred of them in each row. */
type ArchiveIdsTable = {
  organization_id: string
  job_id: string
  /** Counts from 0. */
  page: number
  /** JSON of ArchivedId[]. */
  pairs: string
}

/** Codes of moves that have not ended. */
type MovedCodesTable = {
  organization_id: string
  job_id: string
  /** The short code on its host, as codes are compared there. */
  code_key: string
  /** Empty in a dry run. */
  qr_code_id: string
}
