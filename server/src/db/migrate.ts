import { join, dirname } from 'node:path'
import { Client } from 'pg'
import type { Log } from '../log.ts'
import type { Database } from './database.ts'
import { toPostgresError } from './errors.ts'
import { catalogue } from './migrations/0001-catalogue.ts'
import { lists } from './migrations/0002-lists.ts'
import { imports } from './migrations/0003-imports.ts'
import { history } from './migrations/0004-history.ts'
import { invitations } from './migrations/0005-invitations.ts'
import { styles } from './migrations/0006-styles.ts'
import { codeCounts } from './migrations/0007-code-counts.ts'
import { brands } from './migrations/0008-brands.ts'
import { events } from './migrations/0009-events.ts'
import { accounts } from './migrations/0011-accounts.ts'
import { networkShares } from './migrations/0012-network-shares.ts'
import { foldersByScans } from './migrations/0013-folders-by-scans.ts'
import { tagCounts } from './migrations/0014-tag-counts.ts'
import { scanRetention } from './migrations/0015-scan-retention.ts'
import { dueUniques } from './migrations/0016-due-uniques.ts'
import { installation } from './migrations/0017-installation.ts'
import { openDatabase, type DatabaseOptions } from './open-database.ts'
import { checkIntegrity, openSqliteConnection, sqliteFile, stoppedUncleanly } from './sqlite.ts'

/** What the two databases call the same thing. */
export type ColumnTypes = {
  /** For what only one of them has. */
  dialect: Database['dialect']
  /** Compared byte by byte on both, so that both sort alike. */
  text: string
  /** 64 bits. */
  integer: string
  /** Of `changes.version`: see changes.ts. */
  transactionVersion: string
  /** After a table: SQLite then refuses values of another type, as PostgreSQL does. */
  strict: string
}

/** Forward only, never changed once released; the release before must still work on the schema after. */
export type Migration = { name: string; statements: (types: ColumnTypes) => readonly string[] }

export const migrations: readonly Migration[] = [
  catalogue,
  lists,
  imports,
  history,
  invitations,
  styles,
  codeCounts,
  brands,
  events,
  accounts,
  networkShares,
  foldersByScans,
  tagCounts,
  scanRetention,
  dueUniques,
  installation,
]

const sqliteTypes: ColumnTypes = {
  dialect: 'sqlite',
  text: 'text',
  integer: 'integer',
  transactionVersion: 'integer',
  strict: 'strict',
}
const postgresTypes: ColumnTypes = {
  dialect: 'postgres',
  text: 'text collate "C"',
  integer: 'bigint',
  transactionVersion: 'xid8',
  strict: '',
}

/** Any number that no other software in the same PostgreSQL database is likely to use. */
const advisoryLock = 0x65766573
const connectTimeoutMs = 5_000

/**
 * Opens the catalogue for the first process of a start: checks a SQLite file that was not closed cleanly, brings the schema
 * up to date, and gives the open catalogue back. Other processes then use `openDatabase`. Throws when the file is damaged,
 * and `CatalogueUnavailable` when the database does not answer. `onStep` is told when a check or a statement on SQLite is done.
 */
export async function prepareDatabase({
  onStep = () => undefined,
  ...options
}: Omit<DatabaseOptions, 'role'> & { onStep?: () => void }): Promise<Database> {
  const unclean = options.databaseUrl === undefined && stoppedUncleanly(sqliteFile(options.dataDir))
  const db = await openDatabase({ ...options, role: 'writer' })
  try {
    if (unclean) checkSqlite(db, options.log)
    onStep()
    await migrateDatabase(db, migrations, onStep)
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}

/**
 * Applies what is missing, each migration in its own transaction; gives the names of those it applied. Two processes may do it at
 * the same time. A migration that this release doesn't know is left in peace: a newer one was here.
 */
export async function migrateDatabase(
  db: Database,
  list: readonly Migration[] = migrations,
  onStep: () => void = () => undefined,
): Promise<readonly string[]> {
  const applied =
    db.source.dialect === 'sqlite'
      ? migrateSqlite(db.source.file, list, onStep)
      : await migratePostgres(db.source.url, list)
  if (applied.length > 0) db.log.info({ applied }, 'the catalogue has a new schema')
  return applied
}

function checkSqlite(db: Database, log: Log): void {
  if (db.source.dialect !== 'sqlite') return
  log.warn({ file: db.source.file }, 'the catalogue was not closed, checking it')
  const connection = openSqliteConnection(db.source.file, { busyTimeoutMs: 0, readOnly: true })
  try {
    checkIntegrity(connection)
  } finally {
    connection.close()
  }
}

const createMigrations = ({ text, integer, strict }: ColumnTypes) =>
  `create table if not exists migrations (
    name ${text} not null primary key,
    applied_at_ms ${integer} not null
  ) ${strict}`

function migrateSqlite(file: string, list: readonly Migration[], onStep: () => void): readonly string[] {
  // Synchronous and blocking: nothing else runs yet, and another process may be migrating for a minute.
  const connection = openSqliteConnection(file, { busyTimeoutMs: 60_000, readOnly: false })
  try {
    const known = () => connection.prepare<[], string>('select name from migrations').pluck().all()
    connection.exec(createMigrations(sqliteTypes))
    const before = known()
    const missing = list.filter((migration) => !before.includes(migration.name))
    const [first] = missing
    if (first !== undefined && before.length > 0) {
      const copy = join(dirname(file), `catalogue-before-${first.name}-${Date.now()}.sqlite`)
      connection.prepare('vacuum into ?').run(copy)
      onStep()
    }
    const apply = connection.transaction((migration: Migration) => {
      if (known().includes(migration.name)) return []
      for (const statement of migration.statements(sqliteTypes)) {
        connection.exec(statement)
        onStep()
      }
      connection.prepare('insert into migrations values (?, ?)').run(migration.name, Date.now())
      return [migration.name]
    })
    return missing.flatMap((migration) => apply.immediate(migration))
  } finally {
    connection.close()
  }
}

async function migratePostgres(url: string, list: readonly Migration[]): Promise<readonly string[]> {
  // A connection of its own without statement limits: an index on a large table takes its time.
  const client = new Client({
    connectionString: url,
    application_name: 'everscan migration',
    connectionTimeoutMillis: connectTimeoutMs,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select pg_advisory_lock($1)', [advisoryLock])
    await client.query(createMigrations(postgresTypes))
    const { rows } = await client.query<{ name: string }>('select name from migrations')
    const missing = list.filter((migration) => !rows.some((row) => row.name === migration.name))
    for (const migration of missing) await applyToPostgres(client, migration)
    return missing.map((migration) => migration.name)
  } catch (error) {
    throw toPostgresError(error)
  } finally {
    // The lock ends with the connection.
    await client.end()
  }
}

async function applyToPostgres(client: Client, migration: Migration): Promise<void> {
  await client.query('begin')
  for (const statement of migration.statements(postgresTypes)) await client.query(statement)
  await client.query('insert into migrations values ($1, $2)', [migration.name, Date.now()])
  await client.query('commit')
}
