import type { CodeFigures } from '../../analytics/copies/code-figures.ts'
import type { Fence } from '../../analytics/copies/scan-fence.ts'
import type { Database } from '../../db/database.ts'
import type { DayHits } from '../../db/scans/scan-days.ts'
import type { StoreKind } from '../../settings/store-kind.ts'
import type { CopiedLedger } from '../copied-ledger.ts'
import type { CopyEntry } from '../copy-archive.ts'
import type { CopyMeta } from '../manifest.ts'

/** The scan store of an installation that is copied. */
export type CopiedStore = {
  scansIn: CopyMeta['scansIn'] | undefined
  /** Returns about how many bytes a copy of the scans has, and how many scans there are. */
  estimate: () => Promise<{ bytes: number; rows: number }>
  /**
   * Throws an Error with a sentence if the scans are not those of the catalogue, or are gone: a
   * copy would be worth nothing.
   */
  requireOwn: (db: Database) => Promise<void>
  /** Returns an error of the store as a sentence with a remedy, and other errors as they are. */
  problemOf: (error: unknown) => unknown
  /** Returns the last stored sequences, before the catalogue is read. */
  storedBefore: () => Promise<Fence>
  /** Calls `work` with the scans that the catalogue had counted, and that stay while it runs. */
  read: <Result>(
    counted: { ledger: CopiedLedger; fence: Fence },
    work: (scans: CountedScans) => Promise<Result>,
  ) => Promise<Result>
}

/** The scans of a copy: to be read in this order. */
export type CountedScans = {
  pieces: () => AsyncIterable<CopyEntry & { rows: number }>
  /** Returns the hits of the pieces, by writer and day. */
  days: () => Promise<readonly DayHits[]>
  figures: () => AsyncIterable<readonly CodeFigures[]>
}

/** An empty scan store into which a copy is restored. */
export type RestoredStore = {
  kind: StoreKind
  /** Makes the store one of an installation. */
  begin: (identity: { installation: string; store: string }) => Promise<void>
  /** Whether an entry of a copy has scans. */
  takes: (name: string) => boolean
  /** Stores the scans of an entry. Returns how many they are, as far as that is known. */
  add: (entry: CopyEntry) => Promise<number>
  /**
   * Makes all scans durable. Returns their hits by writer and day. `checkpoints` are those of the
   * catalogue, by writer: journals may still have scans behind them.
   */
  end: (checkpoints: ReadonlyMap<string, number>, signal: AbortSignal) => Promise<readonly DayHits[]>
  /** Has the catalogue count these scans, in the transaction that loads it. */
  settle: (db: Database, signal: AbortSignal) => Promise<void>
  /** Yields the figures of every code that has hits, by the bytes of organization and code. */
  figures: () => AsyncIterable<readonly CodeFigures[]>
}
