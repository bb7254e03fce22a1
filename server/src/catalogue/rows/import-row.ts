import type { Problem, Values } from '@everscan/contract/problems/problem.ts'
import type { CodeForm } from '@everscan/contract/domains/code-forms.ts'
import type { MoveMapping, MoveSource } from '@everscan/contract/moves/move-sources.ts'
import type { MovePreviewLink, MoveVisitColumns, MoveVisitProblem } from '@everscan/contract/moves/moves.ts'
import type { ImportRepairs, ImportStatus } from '@everscan/contract/resources/bulk-imports.ts'
import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import type { Scannability, Style } from '@everscan/contract/resources/styles.ts'
import type { MovedVisitCounts } from '../../db/scans/moved-hits.ts'
import type { ChangeOrigin } from './change-origins.ts'

/** Identifies an import job, also before the job exists. */
export type ImportKey = { organizationId: string; id: string }

/** The input of an import of any preset. */
type SharedInput = {
  dryRun: boolean
  fileName: string | null
  /** The first row of the file, unchanged; of a move, the names of its columns. */
  header: readonly string[]
  totalRows: number
  /**
   * The style of every code that the import creates, and the result of verifying a picture in it.
   */
  look?: { style: Style; scannability: Scannability }
  /** The actor who started the import; absent, as `look` is, in jobs of an older release. */
  origin?: ChangeOrigin
}

/** The input of an import of a file with the columns of a type. */
export type ImportInput = SharedInput & {
  source?: undefined
  type: QrCodeType
  /** The field that each column maps to; null for an ignored column. */
  columns: readonly (string | null)[]
  /** The style that the caller chose; absent: the default style. */
  styleId?: string
  /** The folder of codes whose row names none. */
  folderId?: string
  /** Values that replace those of the file, by row and column. */
  repairs?: ImportRepairs
  /** The import whose failed rows it repairs. */
  repairOf?: string
  /** The default domain of the organization at the start; absent: PUBLIC_URL. */
  domain?: { id: string; hostname: string }
  resolve?: undefined
  waits?: undefined
  visits?: undefined
}

/** The input of a move: an import of the export of another product. */
export type MoveInput = SharedInput & {
  source: MoveSource
  mapping: MoveMapping
  /** The first links, as they were read. */
  preview: readonly (Omit<MovePreviewLink, 'problem' | 'details'> &
    Partial<Pick<MovePreviewLink, 'problem' | 'details'>>)[]
  /** Whether each destination is looked at first. */
  resolve?: boolean
  /** The domain of the codes; absent: PUBLIC_URL. */
  domain?: { id: string; hostname: string; codes: CodeForm }
  /** Whether the organization had not proved the domain when the move began: its codes wait. */
  waits?: boolean
  /** The file of visits; absent: there was none. */
  visits?: MoveVisits
  folderId?: undefined
}

/** A file of visits. `skipped` counts those that were not saved, because they cannot come. */
export type MoveVisits = {
  fileName: string | null
  /** Absent in a move of an older release. */
  columns?: MoveVisitColumns
  total: number
  skipped: number
  problems: readonly (Pick<MoveVisitProblem, 'line' | 'message'> & Partial<MoveVisitProblem>)[]
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

/** A link of a move that may be compared with the old service. */
export type MovedSample = {
  shortCode: string
  /** Its short URL in the file, if it has one. */
  url?: string
}

/** `sample` has random links of all that moved so far; moves of older releases have none. */
export type MoveProgress = ImportProgress & {
  sample?: readonly MovedSample[]
  lookedRows?: number
  warningCount?: number
  visits?: MovedVisitCounts
}

type StoredJob<Input, Progress> = ImportKey & {
  status: ImportStatus
  input: Input
  progress: Progress
  createdAtMs: number
  completedAtMs: number | null
}

/** A stored import of a file with the columns of a type. */
export type ImportJobRow = StoredJob<ImportInput, ImportProgress>
/** A stored move. */
export type MoveRow = StoredJob<MoveInput, MoveProgress>

/** The parts of a move that summaries and events tell. */
export type MoveOutcome = Omit<MoveRow, 'input'> & {
  input: Pick<
    MoveInput,
    'source' | 'dryRun' | 'fileName' | 'totalRows' | 'resolve' | 'domain' | 'waits' | 'visits'
  >
}

/**
 * The presets of imports. A job is stored with its preset as its kind: lists are by it, and workers
 * of older releases know it.
 */
export type ImportJobs = { import: ImportJobRow; move: MoveRow }
export type ImportPreset = keyof ImportJobs
