import type { ClickHouse } from '../analytics/store/clickhouse.ts'
import type { Database } from '../db/database.ts'
import type { OrganizationScans } from '../db/scans/scan-counters.ts'
import type { Findings } from '../db/scans/scan-findings.ts'
import type { JournalIo } from '../journal/journal-io.ts'
import type { JournalPosition } from '../journal/reader.ts'
import type { Log } from '../log.ts'
import type { Geography } from '../visitors/geography/geography.ts'
import type { IngestCalls } from './clickhouse/ingest-calls.ts'
import type { IngestStats } from './ingest-stats.ts'
import type { KeptRows } from './clickhouse/kept-rows.ts'

/**
 * The journal of one writer as the worker sees it. Everything that counts is in the catalogue; this
 * state can be lost at any time.
 */
export type WriterJournal = {
  readonly dir: string
  readonly writer: string
  /**
   * The checkpoint. Undefined while it is unknown or a batch may be open: open batches are then
   * settled first.
   */
  position: JournalPosition | undefined
  /** Halved while the store rejects values of a batch. */
  rowsMax: number
  /**
   * How often in a row the scan store rejected the rows of the current batch, and how many records
   * in a row it never accepted.
   */
  refusals: number
  deadInARow: number
  readFailures: number
  /**
   * The store has rows up to this sequence that the checkpoint does not cover, because an older
   * catalogue was restored. Rows that are in the store are skipped.
   */
  storedUpTo: number
  /** The networks of the last scans since the worker started; in memory only. */
  networks: readonly string[]
}

/** The result of comparing catalogue and scan store, as it is told. */
export type Found = Omit<Findings, 'recounted' | 'putBack'> & {
  /**
   * The result for each organization: corrections of its scans, and its hits that were restored or
   * lost.
   */
  organizations: {
    recounted: readonly OrganizationScans[]
    putBack: readonly OrganizationScans[]
    lost: readonly OrganizationScans[]
  }
}

/** The parts that every way of ingest works with, whatever keeps the scans. */
export type IngestBase = {
  journalRoot: string
  /** Replaces the file system under the reader of journals. */
  journalIo?: JournalIo
  db: Database
  places: Pick<Geography, 'locate'>
  log: Log
  stats: IngestStats
  clock: () => number
  /** When this ingest started. */
  startedMs: number
  /** Whether catalogue and store were compared since the start. */
  isChecked: boolean
  /**
   * Whether the comparison must come before anything else: the checkpoint of a journal had moved
   * back.
   */
  mustCheck: boolean
  /** Runs in the transaction that records the telling, so perhaps more than once. */
  onFound: (tx: Database, found: Found) => Promise<void>
  rowsMax: number
}

/** The way into ClickHouse. */
export type IngestContext = IngestBase & {
  store: ClickHouse
  calls: IngestCalls
  kept: KeptRows
  /** Whether no other worker uses this catalogue. */
  isAlone: boolean
}

/**
 * `more`: continue immediately; `some`: everything available is ingested; `none`: nothing was
 * available.
 */
export type Progress = 'more' | 'some' | 'none'

/**
 * Takes the scans of journals into a store. Every call may throw, and every call may be interrupted
 * anywhere: a repeated one continues.
 */
export type Ingester = {
  /**
   * Compares catalogue and store, and makes them equal. Nothing is ingested before the first
   * comparison, which must see only existing rows.
   */
  compare: (journals: readonly WriterJournal[], signal: AbortSignal) => Promise<void>
  /** Ingests the next batch of a journal, exactly once. */
  ingestNext: (journal: WriterJournal) => Promise<Progress>
  /** Ends the reading of a journal whose writer has ended and of which everything is ingested. */
  finish: (journal: WriterJournal) => Promise<void>
  /** Takes back frames in folders of journals that were set aside whole. Returns their number. */
  takeBack: (dirs: readonly string[]) => Promise<number>
  /** Counts the unique scans that were deferred during a backlog. */
  countDue: () => Promise<void>
  /** Removes kept rows that are too old or too many. */
  removeKept: (options: { olderThanMs: number; bytesMax: number }) => Promise<void>
  close: () => Promise<void>
}

export function writerJournal(dir: string, writer: string): WriterJournal {
  return {
    dir,
    writer,
    position: undefined,
    rowsMax: Infinity,
    refusals: 0,
    deadInARow: 0,
    readFailures: 0,
    storedUpTo: 0,
    networks: [],
  }
}
