import type { Database } from '../database.ts'

/** A database setting that decides whether an acknowledged commit survives a power loss. */
export type DurabilitySetting = {
  name: string
  value: string
  /**
   * `whole`: nothing is lost; `behind`: the last changes may be lost; `broken`: everything may be
   * lost.
   */
  keeps: 'whole' | 'behind' | 'broken'
}

export type DatabaseSize = {
  bytes: number
  /** The space of deleted rows, which a vacuum reclaims. */
  unusedBytes: number
  /**
   * The size of the log beside the file, which an endless reader makes grow; 0 on a server, which
   * manages its own log.
   */
  logBytes: number
}

export type OldTransactions = {
  /** The age of the oldest open transaction, and its owner. */
  oldestMs: number
  holder: string
  /** Prepared transactions that never ended. */
  prepared: number
  /**
   * The used share of transaction numbers, from 0 to 1. At 1 the server rejects new transactions.
   */
  wraparoundShare: number
}

/**
 * Facts about a database for its operator; each function only reads, except `analyze`. Undefined
 * where the fact does not apply to the database.
 */
export type DatabaseFacts = {
  /** A product such as `PostgreSQL 18.1`. `refusal` is why a start would not accept it. */
  readServer: (db: Database) => Promise<{ product: string; refusal: string | undefined }>
  /** The end of support by its vendor, if known. */
  supportEnds: (product: string) => string | undefined
  readDurability: (db: Database) => Promise<DurabilitySetting[]>
  readConnections: (db: Database) => Promise<{ most: number; used: number } | undefined>
  /** Milliseconds since 1970 by the server's clock. */
  readClockMs: (db: Database) => Promise<number | undefined>
  isPooled: (db: Database) => Promise<boolean | undefined>
  readEncryption: (db: Database) => Promise<{ isEncrypted: boolean; isLocal: boolean } | undefined>
  readOldTransactions: (db: Database) => Promise<OldTransactions | undefined>
  readSize: (db: Database) => Promise<DatabaseSize>
  /** Tables without planner statistics although they have many rows. */
  readUnknownTables: (db: Database) => Promise<string[]>
  /** Collects planner statistics of all tables. */
  analyze: (db: Database) => Promise<void>
  /** Damage that a check found; empty if there is none. Undefined if the server checks itself. */
  readDamage: (db: Database, signal: AbortSignal) => Promise<string[] | undefined>
}
