import type { Database } from '../database.ts'

/** A setting of the database on which it depends whether a commit that was answered is still there after a power loss. */
export type DurabilitySetting = {
  name: string
  value: string
  /** `whole`: nothing is lost; `behind`: the last changes can be; `broken`: all of it can be. */
  keeps: 'whole' | 'behind' | 'broken'
}

export type DatabaseSize = {
  bytes: number
  /** Of rows that are gone: given back by a vacuum. */
  unusedBytes: number
  /** Of the log beside the file, which a reader that never ends makes grow; 0 where it is not ours to look after. */
  logBytes: number
}

export type OldTransactions = {
  /** Age of the oldest transaction that is open, and who has it. */
  oldestMs: number
  holder: string
  /** Transactions that were prepared and never ended. */
  prepared: number
  /** How much of the numbers of transactions is used up before the server stops to take any, from 0 to 1. */
  wraparoundShare: number
}

/** What an operator should know of a database; each reads, and changes nothing. `undefined`: the database has no such thing. */
export type DatabaseFacts = {
  /** Such as `PostgreSQL 18.1`; `refusal`: why a start would not take it. */
  readServer: (db: Database) => Promise<{ product: string; refusal: string | undefined }>
  /** The day after which its makers mend nothing, where that is known. */
  supportEnds: (product: string) => string | undefined
  readDurability: (db: Database) => Promise<DurabilitySetting[]>
  readConnections: (db: Database) => Promise<{ most: number; used: number } | undefined>
  /** Milliseconds since 1970 by the server's own clock. */
  readClockMs: (db: Database) => Promise<number | undefined>
  isPooled: (db: Database) => Promise<boolean | undefined>
  readEncryption: (db: Database) => Promise<{ isEncrypted: boolean; isLocal: boolean } | undefined>
  readOldTransactions: (db: Database) => Promise<OldTransactions | undefined>
  readSize: (db: Database) => Promise<DatabaseSize>
  /** Tables of which the planner knows nothing although they have many rows. */
  readUnknownTables: (db: Database) => Promise<string[]>
  /** Lets the planner look at all tables. */
  analyze: (db: Database) => Promise<void>
  /** What is damaged; empty: nothing. `undefined`: the server looks after that itself. */
  readDamage: (db: Database, signal: AbortSignal) => Promise<string[] | undefined>
}
