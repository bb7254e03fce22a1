import type { ScanStore } from '../analytics/store/store.ts'
import type { Database } from '../db/database.ts'
import type { OrganizationScans } from '../db/scans/scan-counters.ts'
import type { JournalPosition } from '../journal/reader.ts'
import type { Log } from '../log.ts'
import type { Geography } from './geography/geography.ts'
import type { IngestCalls } from './ingest-calls.ts'
import type { IngestStats } from './ingest-stats.ts'
import type { KeptRows } from './kept-rows.ts'

/** One writer's journal as the worker sees it. All that counts stands in the catalogue; this can be lost at any time. */
export type WriterJournal = {
  readonly dir: string
  readonly writer: string
  /** The checkpoint; undefined while it is not known, or a batch may be open: then what is open is settled first. */
  position: JournalPosition | undefined
  /** Halved while the store refuses what a batch holds. */
  rowsMax: number
  /** How often in a row the scan store refused the rows of the present batch, and how many records in a row it never took. */
  refusals: number
  deadInARow: number
  readFailures: number
  /**
   * The store has rows of it up to this sequence that the checkpoint knows nothing of: an older catalogue was put back. What stands
   * in the store already is passed over.
   */
  storedUpTo: number
  /** Networks of its last scans since the worker started: in memory only. */
  networks: readonly string[]
}

/** What a comparison of catalogue and scan store found. */
export type Found = {
  /** Hits that the store has and the catalogue did not know of: an older copy of the catalogue was put back. */
  unknownHits: number
  /** Short codes that were reserved as only the store knows them. */
  reserved: readonly string[]
  /** Hits that the store had lost and that were put back from the kept rows. */
  putBackHits: number
  /** Rows that stood twice in the store and of which one is left. */
  doubledHits: number
  /** Hits that are gone, by day (UTC, days since 1970). */
  lost: readonly { day: number; hits: number }[]
  /** What that comes to for each organization: the scans by which its figures were corrected, and its hits that were put back or are lost. */
  organizations: {
    recounted: readonly OrganizationScans[]
    putBack: readonly OrganizationScans[]
    lost: readonly OrganizationScans[]
  }
}

export type IngestContext = {
  journalRoot: string
  store: ScanStore
  db: Database
  places: Pick<Geography, 'locate'>
  log: Log
  stats: IngestStats
  calls: IngestCalls
  kept: KeptRows
  clock: () => number
  /** No other worker uses this catalogue. */
  isAlone: boolean
  /** Catalogue and store were compared since the start. */
  isChecked: boolean
  /** They have to be compared before anything else: a journal was found whose checkpoint had moved back. */
  mustCheck: boolean
  onFound: (found: Found) => Promise<void>
  rowsMax: number
}

/** `more`: go on at once; `some`: all that was there is ingested; `none`: nothing was there. */
export type Progress = 'more' | 'some' | 'none'
