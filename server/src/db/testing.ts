import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe } from 'node:test'
import { pino } from 'pino'
import type { Database } from './database.ts'
import { migrateDatabase } from './migrate.ts'
import { openDatabase, type DatabaseOptions } from './open-database.ts'
import { startPostgres, type TestPostgres } from './postgres-testing.ts'

/** Opens a new, migrated catalogue; with `same`, another connection to that one. Closed after each test. */
export type OpenTestDatabase = (options?: {
  same?: Database
  role?: 'writer' | 'reader'
}) => Promise<Database>

export const silentLog = pino({ level: 'silent' })

let postgres: Promise<TestPostgres> | undefined
let template: Promise<string> | undefined

/** Runs the tests that `define` makes twice: on SQLite and on PostgreSQL, each test with catalogues of its own. */
export function forEachDatabase(title: string, define: (open: OpenTestDatabase) => void): void {
  onSqlite(title, define)
  onPostgres(title, define)
}

export function onSqlite(title: string, define: (open: OpenTestDatabase) => void): void {
  describe(`${title} on SQLite`, () => {
    const directories: string[] = []
    const newSource = async () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'everscan-sqlite-'))
      directories.push(dataDir)
      return { dataDir }
    }
    after(() => directories.forEach((path) => rmSync(path, { recursive: true, force: true })))
    define(opener(newSource))
  })
}

export function onPostgres(title: string, define: (open: OpenTestDatabase) => void): void {
  describe(`${title} on PostgreSQL`, () => {
    before(async () => {
      await templateDatabase()
    })
    define(opener(newPostgresSource))
  })
}

/** The server that all tests of this process share. */
export function testPostgres(): Promise<TestPostgres> {
  postgres ??= startPostgres()
  return postgres
}

after(async () => {
  const server = await postgres
  await server?.remove()
})

function templateDatabase(): Promise<string> {
  template ??= (async () => {
    const server = await testPostgres()
    const databaseUrl = await server.createDatabase()
    const db = await openDatabase({ databaseUrl, dataDir: '', role: 'writer', log: silentLog })
    await migrateDatabase(db)
    await db.close()
    return databaseUrl
  })()
  return template
}

async function newPostgresSource(): Promise<Source> {
  const server = await testPostgres()
  return { dataDir: '', databaseUrl: await server.createDatabase(await templateDatabase()) }
}

type Source = Pick<DatabaseOptions, 'dataDir' | 'databaseUrl'>

function opener(newSource: () => Promise<Source>): OpenTestDatabase {
  const sources = new Map<Database, Source>()
  afterEach(async () => {
    for (const db of sources.keys()) await db.close()
    sources.clear()
  })
  return async ({ same, role = 'writer' } = {}) => {
    const source = (same !== undefined && sources.get(same)) || (await newSource())
    const db = await openDatabase({ ...source, role, log: silentLog })
    sources.set(db, source)
    if (same === undefined && source.databaseUrl === undefined) await migrateDatabase(db)
    return db
  }
}

/** A generator of random numbers from 0 to 1 whose seed is printed; `SEED=…` gives the same numbers again. */
export function seededRandom(): () => number {
  const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))
  process.stdout.write(`SEED=${seed}\n`)
  // Mulberry32: small, and random enough for tests.
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
