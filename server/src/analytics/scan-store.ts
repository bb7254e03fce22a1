import type { MatrixDimension } from '@everscan/contract/dimensions/dimensions.ts'
import type { CodeFigures, CodeFiguresSort } from '@everscan/contract/resources/analytics-codes.ts'
import type {
  AnalyticsMatrix,
  OrganizationAnalytics,
  ScanFilters,
} from '@everscan/contract/resources/analytics.ts'
import type { Scan } from '@everscan/contract/resources/scans.ts'
import { errorMessage } from '../errors.ts'
import type { Interval } from './figures/calendar.ts'
import type { CountedDestination, ScanFigures } from './figures/figures.ts'
import type { Period } from './figures/period.ts'

/**
 * The scan store did not answer, or not in time. Scans are safe in the journal, and the same call
 * may succeed later.
 */
export class ScanStoreUnavailable extends Error {
  constructor(cause: unknown) {
    super(`the scan store is not available: ${errorMessage(cause).split('\n')[0]}`, { cause })
    this.name = 'ScanStoreUnavailable'
  }
}

/**
 * The stored scans, as the product asks for them. Whatever keeps them is behind it. Every call may
 * throw ScanStoreUnavailable. All figures of one answer come from one state of the scans, so they
 * agree exactly even while scans arrive.
 */
export type ScanStore = {
  /** Returns all figures of one code over a period. */
  qrCodeAnalytics(options: QrCodeAnalyticsOptions): Promise<QrCodeFigures>
  /**
   * Returns all figures of an organization over a period. Scans of deleted codes still count. The
   * codes in `topQrCodes` are also counted separately, most scans first.
   */
  organizationAnalytics(options: OrganizationAnalyticsOptions): Promise<OrganizationFigures>
  /**
   * Returns the ids of the codes with the most scans, most first, equal ones by id: `limit` ids
   * after the first `offset`.
   */
  mostScannedQrCodes(scope: ScanScope, page: { limit: number; offset: number }): Promise<string[]>
  /**
   * Returns the values of two dimensions with the most scans, most first, equal ones by value. A
   * matrix of all values could have more cells than there are scans.
   */
  matrixSides(scope: ScanScope, dimensions: readonly [MatrixDimension, MatrixDimension]): Promise<MatrixSides>
  /**
   * Returns the ids of a page of codes, in the order of a figure, equal ones by id. Codes without a
   * change come last in either order.
   */
  rankCodes(ranking: CodeRanking): Promise<string[]>
  /**
   * Returns the figures of some codes, in the order of `ids`. Percentages are of all scans in the
   * scope.
   */
  countCodes(options: { scope: ScanScope; before: Period; ids: readonly string[] }): Promise<CountedCode[]>
  /** Returns a page of the scans of a code, newest first, and their total number. */
  listScans(options: ListScansOptions): Promise<{ scans: Scan[]; total: number }>
  /** Yields the scans of a code as CSV, oldest first, in chunks of any size. */
  exportScans(scope: ScopeOfCode): Chunks
  /**
   * Yields the scans of an organization's codes as CSV, code by code, those of a code oldest first.
   * Code ids are ascending.
   */
  exportScansOfCodes(scope: Omit<ScopeOfCode, 'qrCodeId'>, codes: ExportedCodes): Chunks
  /**
   * Yields the scans by people of a code, in pieces from the newest to the oldest. Scans that are
   * equal in the requested columns are counted together. Throws PeriodTooLong.
   */
  replayScans(
    scope: ScopeOfCode,
    options: { columns: ReplayColumns; bounds: ReplayBounds },
  ): AsyncGenerator<ReplayedScans[], void, undefined>
  /** Yields the ids of the codes that an organization has hits of, some thousand at a time. */
  scannedCodes(organizationId: string): AsyncGenerator<string[]>
  /**
   * Returns the calendar months (UTC) in which an organization has hits, such as `202603`, oldest
   * first.
   */
  scanMonths(scope: ArchiveScope): Promise<string[]>
  /**
   * Yields the hits of every class of an organization in a month, code by code, those of a code
   * oldest first: one JSON array of `archivedScanColumns` per line. Hits on closed codes come last.
   */
  archiveScans(scope: ArchiveScope & { month: string }): Chunks
  /** Returns those of at most 5,000 ids of codes and organizations that a hit has. */
  scannedIds(ids: readonly string[]): Promise<string[]>
  /**
   * Returns how far the store is in giving existing rows what this release adds. `rowsLeft` is 0 if
   * there is nothing to do.
   */
  readRewrite(): Promise<RewriteState>
  /** Whether the store answers a query within 2 s. */
  ping(): Promise<boolean>
  close(): Promise<void>
}

type Chunks = AsyncGenerator<Buffer, void, undefined>

/** The owner, the period and the filters of scans. */
export type ScanScope = Period & {
  organizationId: string
  /** One code. Default: all codes that the organization has or had. */
  qrCodeId?: string
  /** Some of the organization's codes. */
  selection?: Selection | undefined
  /** Values of one filter are alternatives. All filters must match. Absent or empty: no filter. */
  filters: ScanFilters
}

export type ScopeOfCode = Omit<ScanScope, 'selection'> & { qrCodeId: string }

/** The codes whose scans count: only those listed, or all others. */
export type Selection = { mode: 'only' | 'except'; codes: CodeIds }

/** Ids of codes, up to a million. A call takes less time if it gets the same object again. */
export type CodeIds = {
  /** Separated by commas. */
  ids: string
  total: number
}

export type QrCodeAnalyticsOptions = ScopeOfCode & {
  interval: Interval
  matrix?: MatrixSides | undefined
  /** Whether the code has or had rules. Otherwise its own data answered every scan. */
  byDestination?: boolean | undefined
}

/** The figures of a code from the scan store. */
export type QrCodeFigures = ScanFigures & {
  qrCodeId: string
  matrix?: ScanMatrix
  destinations: CountedDestination[]
}

export type OrganizationAnalyticsOptions = Omit<ScanScope, 'qrCodeId'> & {
  interval: Interval
  /** The ids of codes to count separately, all of them in the selection. */
  topQrCodes: readonly string[]
  matrix?: MatrixSides | undefined
}

/** The figures of an organization from the scan store. The catalogue has the names of the codes. */
export type OrganizationFigures = ScanFigures & {
  matrix?: ScanMatrix
  topQrCodes: Pick<
    OrganizationAnalytics['topQrCodes'][number],
    'qrCodeId' | 'scans' | 'uniqueScans' | 'percentage'
  >[]
}

/** Two dimensions, and the values of each that are counted. */
export type MatrixSides = {
  dimensions: readonly [MatrixDimension, MatrixDimension]
  rows: readonly string[]
  columns: readonly string[]
}

/** A matrix as the scan store knows it. The catalogue has the names of the codes. */
export type ScanMatrix = Omit<AnalyticsMatrix, 'qrCodes'>

export type CodeRanking = {
  scope: ScanScope
  /** The period that `change` compares with. */
  before: Period
  /** The codes of the table, also those without scans. Absent: those with scans, also deleted. */
  codes?: CodeIds
  sort: Exclude<CodeFiguresSort, 'name'>
  order: 'asc' | 'desc'
  limit: number
  offset: number
}

/** The figures of a code in a table. The catalogue has the rest of its row. */
export type CountedCode = Pick<
  CodeFigures,
  'qrCodeId' | 'scans' | 'uniqueScans' | 'percentage' | 'previousScans' | 'change'
>

export type ListScansOptions = ScopeOfCode & {
  page: number
  limit: number
  /** Whether crawlers, previews and prefetches are listed too. */
  includeBots: boolean
}

export type ExportedCodes = {
  /** The codes in the order of their ids. Default: all codes with scans in the scope. */
  ids: readonly string[] | undefined
  /** Reads what the catalogue knows of codes, also deleted ones: code by id. */
  readCodes: (ids: readonly string[]) => Promise<ReadonlyMap<string, { shortCode: string; name: string }>>
}

/** Scans of a code that are equal in every requested column. */
export type ReplayedScans = {
  scans: number
  rule: string
  arm: string
  timeMs?: number
  country?: string
  /** Its English name; empty when unknown. */
  region?: string
  city?: string
  language?: string
  device?: 'mobile' | 'desktop' | 'tablet'
  os?: string
  browser?: string
  /** 32 hexadecimal digits. */
  visitor?: string
}

export type ReplayColumns = Readonly<
  Record<'country' | 'region' | 'city' | 'language' | 'device' | 'os' | 'browser' | 'visitor', boolean>
> & { time: 'millisecond' | 'minute' | undefined }

export type ReplayBounds = {
  scansMax: number
  msMax: number
  /** Scans that are read at once. */
  scansPerPiece?: number
}

/**
 * A period has more scans than a replay may read. The longest one that fits starts at `startMs`.
 */
export class PeriodTooLong extends Error {
  readonly startMs: number
  readonly reason: 'scans' | 'time'

  constructor(startMs: number, reason: 'scans' | 'time') {
    super(`too long: ${reason}`)
    this.startMs = startMs
    this.reason = reason
  }
}

/** The hits of an organization that are in its archive: all but those of some codes. */
export type ArchiveScope = { organizationId: string; without: ReadonlySet<string> }

/** How far a rewrite is. Every process sees the same. */
export type RewriteState = {
  /** Of scans and of first scans. */
  rows: number
  rowsLeft: number
  /** When the first part of this rewrite was ordered; undefined if none was yet. */
  startedAtMs: number | undefined
  /** When all rows will be rewritten at the speed so far; undefined until that is known. */
  endsAtMs: number | undefined
  /** Why the store cannot go on, in its own words; empty if it can. */
  problem: string
}
