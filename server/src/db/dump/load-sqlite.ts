import type Sqlite from 'better-sqlite3'
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { Kysely } from 'kysely'
import { errorMessage, FatalError } from '../../errors.ts'
import { CatalogueUnavailable, errorCode, toCatalogueError } from '../errors.ts'
import { createMigrations } from '../migrations/migration.ts'
import { sqliteTypes } from '../migrations/migrate-sqlite.ts'
import type { Migration } from '../migrations/migration.ts'
import { lists, numberCodes } from '../migrations/versions/0002-lists.ts'
import { search } from '../migrations/versions/0031-search.ts'
import { sqliteDialect } from '../dialects/sqlite-dialect.ts'
import { openSqliteConnection, sqliteFile } from '../dialects/sqlite.ts'
import type { Tables } from '../tables.ts'
import { quoted, type CatalogueShape } from './catalogue-shape.ts'
import { refuseContentsOfSqlite } from './contents.ts'
import type { CataloguePlace } from './catalogue-snapshot.ts'
import type { CatalogueLoad } from './catalogue-dump.ts'
import { damagedCopy, insertParts, type DumpRows } from './read-parts.ts'

/** Sorting the rows of an index takes the same amount again. */
const cacheKiB = 12 * 1024

const codesPerStep = 2_000
const leastNumber = -(2n ** 63n)

/** Loads into a file with a temporary name. Renames the file once all of it is on disk. */
export async function loadSqlite(
  place: CataloguePlace,
  load: CatalogueLoad,
): Promise<ReadonlyMap<string, number>> {
  const { dataDir } = place
  refuseContentsOfSqlite(dataDir)
  mkdirSync(dataDir, { recursive: true })
  const file = sqliteFile(dataDir)
  const loading = `${file}.partial`
  // A file of an interrupted load.
  removeDatabase(loading)
  try {
    writeFileSync(loading, '', { mode: 0o600, flag: 'wx' })
    const counts = await fillFile(loading, place, load)
    syncPath(loading)
    // A service may have started here in the meantime.
    refuseContentsOfSqlite(dataDir)
    renameSync(loading, file)
    syncPath(dataDir)
    return counts
  } catch (error) {
    removeDatabase(loading)
    const cause = error instanceof CatalogueUnavailable ? error.cause : error
    if (!['SQLITE_FULL', 'ENOSPC', 'EDQUOT'].includes(errorCode(cause))) throw error
    throw new FatalError(
      `DATA_DIR: ${dataDir} has no space for the catalogue; nothing was loaded, free some space and try again`,
      { cause: error },
    )
  }
}

async function fillFile(
  file: string,
  { log }: CataloguePlace,
  { shape, parts, amend }: CatalogueLoad,
): Promise<ReadonlyMap<string, number>> {
  const connection = openSqliteConnection(file, { busyTimeoutMs: 0, readOnly: false })
  // A WAL would hold all data a second time, and nothing must be durable before the file gets its
  // name.
  connection.pragma('journal_mode = delete')
  connection.pragma('synchronous = off')
  connection.pragma(`cache_size = -${cacheKiB}`)
  const kysely = new Kysely<Tables>({ dialect: sqliteDialect(connection) })
  try {
    return await kysely.transaction().execute(async (tx) => {
      // A folder may come before its parent.
      connection.pragma('defer_foreign_keys = on')
      connection.exec(createMigrations(sqliteTypes))
      applyMigrations(connection, shape.migrations)
      const complete = dropForBulkLoad(connection)
      const counts = await insertParts(parts, shape, (rows) => insertRows(connection, rows))
      for (const step of complete(shape)) {
        translatingErrors(step)
        // Each step takes a while with a million codes; other work of this process runs between the
        // steps.
        await setImmediate()
      }
      const source = { dialect: 'sqlite', file } as const
      if (amend !== undefined) {
        applyMigrations(connection, shape.missing)
        await amend({ kysely: tx, dialect: 'sqlite', source, log, close: async () => {} })
      }
      return counts
    })
  } finally {
    await kysely.destroy()
    connection.close()
  }
}

function applyMigrations(connection: Sqlite.Database, migrations: readonly Migration[]): void {
  const apply = connection.prepare<[string, number]>('insert into migrations values (?, ?)')
  translatingErrors(() => {
    for (const { name, statements } of migrations) {
      for (const statement of statements(sqliteTypes)) connection.exec(statement)
      apply.run(name, Date.now())
    }
  })
}

/**
 * Drops indexes and triggers, and returns a function that restores them. An index is created faster
 * from all rows at once, and triggers would count rows that are already counted.
 */
function dropForBulkLoad(connection: Sqlite.Database): (shape: CatalogueShape) => Generator<() => void> {
  const parts = connection
    .prepare<[], { type: 'index' | 'trigger'; name: string; made: string }>(
      `select type, name, sql as made from sqlite_master
       where type in ('index', 'trigger') and sql is not null
       order by rowid`,
    )
    .all()
  for (const { type, name } of parts) connection.exec(`drop ${type} ${quoted(name)}`)
  function* restore(restored: 'index' | 'trigger'): Generator<() => void> {
    for (const { type, made } of parts) if (type === restored) yield () => connection.exec(made)
  }
  return function* ({ migrations }) {
    const isListed = migrations.includes(lists)
    if (isListed) yield () => connection.exec(numberCodes)
    yield* restore('index')
    if (isListed) yield* indexTexts(connection, { into: 'qr_code_names', columns: 'name_search' })
    if (migrations.includes(search))
      yield* indexTexts(connection, {
        into: 'qr_code_words',
        columns: 'name_folded, content_folded, canonical_code',
      })
    yield* restore('trigger')
    yield () => refuseDanglingRows(connection)
  }
}

/** Works in batches along the index of the numbers, which exceed JavaScript's integers. */
function* indexTexts(
  connection: Sqlite.Database,
  { into, columns }: { into: string; columns: string },
): Generator<() => void> {
  const some = `select number, ${columns} from qr_codes where number > ? order by number limit ${codesPerStep}`
  const insert = connection.prepare<[bigint]>(`insert into ${into} (rowid, ${columns}) ${some}`)
  const findLast = connection
    .prepare<[bigint], bigint | null>(`select max(number) from (${some})`)
    .pluck()
    .safeIntegers()
  let done = leastNumber
  for (let last = findLast.get(done); typeof last === 'bigint'; last = findLast.get(done)) {
    const before = done
    yield () => insert.run(before)
    done = last
  }
}

function insertRows(connection: Sqlite.Database, { table, columns, rows }: DumpRows): void {
  const values = columns.map(() => '?').join(', ')
  translatingErrors(() => {
    const insert = connection.prepare(
      `insert into ${quoted(table.name)} (${columns.map(quoted).join(', ')}) values (${values})`,
    )
    for (const row of rows) insert.run(...row)
  })
}

function refuseDanglingRows(connection: Sqlite.Database): void {
  const dangling = connection
    .prepare<[], { table: string; parent: string }>(
      'select "table", parent from pragma_foreign_key_check limit 1',
    )
    .get()
  if (dangling === undefined) return
  throw damagedCopy(`a row of ${dangling.table} references a missing row of ${dangling.parent}`)
}

/** Converts errors about rows that the database rejects: the copy is at fault. */
function translatingErrors(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (errorCode(error).startsWith('SQLITE_CONSTRAINT')) throw damagedCopy(errorMessage(error), error)
    throw toCatalogueError(error)
  }
}

function removeDatabase(file: string): void {
  for (const ending of ['', '-journal', '-wal', '-shm']) rmSync(`${file}${ending}`, { force: true })
}

function syncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
