import type { CodeForm } from '@everscan/contract/domains/code-forms.ts'
import type { MoveMapping, MoveSource } from '@everscan/contract/moves/move-sources.ts'
import type { MovePreviewLink, MoveVisitColumns, MoveVisitProblem } from '@everscan/contract/moves/moves.ts'
import type { Scannability, Style } from '@everscan/contract/resources/styles.ts'
import type { MovedVisitCounts } from '../../db/scans/moved-hits.ts'
import type { ChangeOrigin } from './change-origins.ts'
import type { ImportJobRow, ImportProgress } from './import-row.ts'

/** The input of a move of links from another product. */
export type MoveInput = {
  source: MoveSource
  dryRun: boolean
  fileName: string | null
  /** The columns of the file. */
  header: readonly string[]
  mapping: MoveMapping
  /** The first links, as they were read. */
  preview: readonly (Omit<MovePreviewLink, 'problem' | 'details'> &
    Partial<Pick<MovePreviewLink, 'problem' | 'details'>>)[]
  totalRows: number
  /** Whether each destination is looked at first. */
  resolve?: boolean
  /** The style of every code, and the result of verifying a picture in it. */
  look: { style: Style; scannability: Scannability }
  /** The domain of the codes; absent: PUBLIC_URL. */
  domain?: { id: string; hostname: string; codes: CodeForm }
  /** Whether the organization had not proved the domain when the move began: its codes wait. */
  waits?: boolean
  /** The file of visits; absent: there was none. */
  visits?: MoveVisits
  origin: ChangeOrigin
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

/** The parts of a move that summaries and events tell. */
export type MoveOutcome = Omit<MoveRow, 'input'> & {
  input: Pick<
    MoveInput,
    'source' | 'dryRun' | 'fileName' | 'totalRows' | 'resolve' | 'domain' | 'waits' | 'visits'
  >
}

/** A stored move. */
export type MoveRow = Omit<ImportJobRow, 'input' | 'progress'> & { input: MoveInput; progress: MoveProgress }
