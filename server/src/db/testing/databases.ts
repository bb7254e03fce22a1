import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe } from 'node:test'
import { Client } from 'pg'
import type { Database } from '../database.ts'
import { openDatabase, type DatabaseOptions } from '../open-database.ts'
import { atProcessEnd } from './at-process-end.ts'
import { createDatabase, startPostgres, type TestPostgres } from './postgres.ts'
import { sqliteFile } from '../dialects/sqlite.ts'
import { createSqliteTemplate, migratePostgres, silentLog } from './templates.ts'
import { hasVariants } from '@everscan/contract/testing/variants.ts'

export { silentLog }

/**
 * Opens an empty, migrated catalogue, or with `same` another connection to that catalogue. Closed
 * after each test.
 */
export type OpenTestDatabase = (options?: {
  same?: Database
  role?: 'writer' | 'reader'
  /** For tests that change the schema: no other test gets this catalogue. */
  unshared?: true
}) => Promise<Database>

let postgres: Promise<TestPostgres> | undefined
let template: Promise<string> | undefined
let sqliteTemplate: Promise<string> | undefined

/** Runs the tests of `define` on SQLite and on PostgreSQL, each test with catalogues of its own. */
export function forEachDatabase(title: string, define: (open: OpenTestDatabase) => void): void {
  onSqlite(title, define)
  onPostgres(title, define)
}

/**
 * As `forEachDatabase`, but a whole `npm test` runs each test on one of the two, chosen by its
 * name. For rooms without SQL: their statements are those of rooms that are tested on both.
 */
export function onEitherDatabase(title: string, define: (open: OpenTestDatabase) => void): void {
  if (hasVariants) return forEachDatabase(title, define)
  describe(title, () => {
    let isPostgres = false
    before(async () => {
      await templateDatabase()
    })
    beforeEach((running) => {
      isPostgres = createHash('sha256').update(running.name).digest().readUInt8() % 2 === 0
    })
    afterEach((ended) => {
      if ('passed' in ended && !ended.passed) ended.diagnostic(isPostgres ? 'on PostgreSQL' : 'on SQLite')
    })
    const newSqlite = sqliteSources()
    define(opener(() => (isPostgres ? newPostgresSource() : newSqlite())))
  })
}

export function onSqlite(title: string, define: (open: OpenTestDatabase) => void): void {
  describe(`${title} on SQLite`, () => define(opener(sqliteSources())))
}

/** Returns how to create a catalogue in a directory that is removed after the suite. */
function sqliteSources(): () => Promise<CatalogueSource> {
  const directories: string[] = []
  after(() => directories.forEach((path) => rmSync(path, { recursive: true, force: true })))
  return async () => {
    const { dataDir } = copySqlite({ dataDir: await templateDirectory() })
    directories.push(dataDir)
    return { dataDir }
  }
}

export function onPostgres(title: string, define: (open: OpenTestDatabase) => void): void {
  describe(`${title} on PostgreSQL`, () => {
    before(async () => {
      await templateDatabase()
    })
    define(opener(newPostgresSource))
  })
}

/**
 * Set by `npm test`: a server that all test files share, and catalogues to copy. Creating them
 * takes as long as most tests.
 */
let sharedServer = process.env['EVERSCAN_TEST_POSTGRES']
let sharedTemplate = process.env['EVERSCAN_TEST_POSTGRES_TEMPLATE']
const sharedDirectory = process.env['EVERSCAN_TEST_SQLITE_TEMPLATE']

/**
 * For a test file that reads all transactions of the server, which would include those of other
 * files.
 */
export function useOwnServer(): void {
  sharedServer = undefined
  sharedTemplate = undefined
}

/** Returns a database for one test: empty, or a copy of another. */
export async function newPostgresDatabase(templateUrl?: string): Promise<string> {
  if (sharedServer !== undefined) return createDatabase(sharedServer, templateUrl)
  return (await testPostgres()).createDatabase(templateUrl)
}

/** Returns the server that all tests of this process share, and that they may stop. */
export function testPostgres(): Promise<TestPostgres> {
  postgres ??= startPostgres()
  return postgres
}

atProcessEnd(async () => {
  const server = await postgres
  await server?.remove()
})

/** Returns the data directory of a migrated, empty catalogue, to be copied. */
export async function templateDirectory(): Promise<string> {
  if (sharedDirectory !== undefined) return sharedDirectory
  sqliteTemplate ??= createSqliteTemplate()
  return sqliteTemplate
}

atProcessEnd(async () => {
  const dataDir = await sqliteTemplate
  if (dataDir !== undefined) rmSync(dataDir, { recursive: true, force: true })
})

/** Returns the address of a migrated, empty catalogue, for `newPostgresDatabase`. */
export async function templateDatabase(): Promise<string> {
  if (sharedTemplate !== undefined) return sharedTemplate
  template ??= newPostgresDatabase().then(async (url) => {
    await migratePostgres(url)
    return url
  })
  return template
}

/** Used databases that were emptied: creating one takes twenty times as long as emptying one. */
const emptied: string[] = []
/** Set by `npm test`: a folder with a file for each emptied database of the shared server. */
const sharedEmptied = process.env['EVERSCAN_TEST_POSTGRES_EMPTIED']

async function newPostgresSource(): Promise<CatalogueSource> {
  const databaseUrl = takeEmptied() ?? (await newPostgresDatabase(await templateDatabase()))
  return { dataDir: '', databaseUrl }
}

function takeEmptied(): string | undefined {
  if (sharedEmptied === undefined || sharedServer === undefined) return emptied.pop()
  for (const name of readdirSync(sharedEmptied))
    try {
      unlinkSync(join(sharedEmptied, name))
      return new URL(`/${name}`, sharedServer).href
    } catch {
      // Another process was faster.
    }
  return undefined
}

function giveEmptied(databaseUrl: string): void {
  if (sharedEmptied === undefined || sharedServer === undefined) emptied.push(databaseUrl)
  else writeFileSync(join(sharedEmptied, new URL(databaseUrl).pathname.slice(1)), '')
}

/**
 * Tables without a file's length have never had rows. Replicas do not check foreign keys, so the
 * order does not matter.
 */
const emptySql = `
  set session_replication_role = replica;
  do $$
  declare used text;
  begin
    for used in
      select oid::regclass from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace
        and relname <> 'migrations' and pg_relation_size(oid) > 0
    loop
      execute 'delete from ' || used;
    end loop;
  end $$`

async function emptyAgain({ databaseUrl }: CatalogueSource): Promise<void> {
  if (databaseUrl === undefined) return
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(emptySql)
  await client.end()
  giveEmptied(databaseUrl)
}

function opener(newSource: () => Promise<CatalogueSource>): OpenTestDatabase {
  const sources = new Map<Database, CatalogueSource>()
  const shared = new Set<CatalogueSource>()
  afterEach(async () => {
    for (const db of sources.keys()) await db.close()
    for (const source of shared) await emptyAgain(source)
    sources.clear()
    shared.clear()
  })
  return async ({ same, role = 'writer', unshared } = {}) => {
    const known = same === undefined ? undefined : sources.get(same)
    const source = known ?? (await newSource())
    const db = await openDatabase({ ...source, role, log: silentLog })
    sources.set(db, source)
    if (known === undefined && unshared === undefined) shared.add(source)
    return db
  }
}

/**
 * Opens a new, migrated catalogue in a directory that the caller removes, for suites whose
 * catalogue lives in the data directory of their service. Migrating takes longer than most tests.
 */
export async function openNewSqlite(dataDir: string): Promise<Database> {
  mkdirSync(dataDir, { recursive: true })
  copyFileSync(sqliteFile(await templateDirectory()), sqliteFile(dataDir))
  return openDatabase({ dataDir, role: 'writer', log: silentLog })
}

/** The location of a catalogue. */
export type CatalogueSource = Pick<DatabaseOptions, 'dataDir' | 'databaseUrl'>

/**
 * A catalogue to copy and restore, as operators do. It must not be open during these operations.
 */
export type CatalogueKind = {
  title: string
  /** Creates an empty, migrated catalogue. */
  empty: () => Promise<CatalogueSource>
  copy: (source: CatalogueSource) => Promise<CatalogueSource>
  remove: (source: CatalogueSource) => Promise<void>
}

/** For tests of catalogues that outlive their connections. */
export const catalogueKinds: readonly CatalogueKind[] = [
  {
    title: 'SQLite',
    empty: async () => copySqlite({ dataDir: await templateDirectory() }),
    copy: async (source) => copySqlite(source),
    remove: async ({ dataDir }) => rmSync(dataDir, { recursive: true, force: true }),
  },
  {
    title: 'PostgreSQL',
    empty: async () => ({ dataDir: '', databaseUrl: await newPostgresDatabase(await templateDatabase()) }),
    copy: async ({ databaseUrl }) => ({ dataDir: '', databaseUrl: await newPostgresDatabase(databaseUrl) }),
    remove: async ({ databaseUrl = '' }) => {
      const client = new Client({ connectionString: new URL('/postgres', databaseUrl).href })
      await client.connect()
      await client.query(`drop database ${new URL(databaseUrl).pathname.slice(1)} with (force)`)
      await client.end()
    },
  },
]

function copySqlite({ dataDir: from }: CatalogueSource): CatalogueSource {
  const dataDir = mkdtempSync(join(tmpdir(), 'everscan-sqlite-'))
  copyFileSync(sqliteFile(from), sqliteFile(dataDir))
  return { dataDir }
}
