import { sql } from 'kysely'
import { statSync } from 'node:fs'
import type { DatabaseFacts } from './database-facts.ts'
import type { Database } from '../database.ts'
import { quickCheck } from './sqlite-quick-check.ts'

export const sqliteFacts: DatabaseFacts = {
  async readServer(db) {
    // Opening has already rejected a version that is too old.
    const { version } = await one<{ version: string }>(db, 'select sqlite_version() as version')
    return { product: `SQLite ${version}`, refusal: undefined }
  },
  // SQLite comes with the packages.
  supportEnds: () => undefined,
  async readDurability(db) {
    const { journal_mode: mode } = await one<{ journal_mode: string }>(db, 'pragma journal_mode')
    const { synchronous } = await one<{ synchronous: number }>(db, 'pragma synchronous')
    return [
      { name: 'journal_mode', value: mode, keeps: mode === 'off' || mode === 'memory' ? 'broken' : 'whole' },
      { name: 'synchronous', value: String(synchronous), keeps: synchronous >= 2 ? 'whole' : 'behind' },
    ]
  },
  // A file has none of these.
  readConnections: async () => undefined,
  readClockMs: async () => undefined,
  isPooled: async () => undefined,
  readEncryption: async () => undefined,
  readOldTransactions: async () => undefined,
  async readSize(db) {
    const { page_count: pages } = await one<{ page_count: number }>(db, 'pragma page_count')
    const { freelist_count: free } = await one<{ freelist_count: number }>(db, 'pragma freelist_count')
    const { page_size: bytes } = await one<{ page_size: number }>(db, 'pragma page_size')
    const log = statSync(`${fileOf(db)}-wal`, { throwIfNoEntry: false })
    return { bytes: pages * bytes, unusedBytes: free * bytes, logBytes: log?.size ?? 0 }
  },
  // The queries are written for its default estimates: see sqlite-list-plans.ts.
  readUnknownTables: async () => [],
  async analyze(db) {
    await sql`/* db.analyze */ pragma optimize`.execute(db.kysely)
  },
  readDamage: (db, signal) => quickCheck(fileOf(db), signal),
}

function fileOf({ source }: Database): string {
  if (source.dialect !== 'sqlite') throw new Error('no file')
  return source.file
}

async function one<Row>(db: Database, text: string): Promise<Row> {
  const { rows } = await sql<Row>`${sql.raw(text)}`.execute(db.kysely)
  return rows[0] as Row
}
