import type Sqlite from 'better-sqlite3'
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
} from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode, toCatalogueError } from '../errors.ts'

/** How long a write waits for the write lock of other processes. */
const lockTimeoutMs = 10_000
const lockPollMaxMs = 10
const statementsMax = 300

/**
 * Returns Kysely's SQLite dialect with three differences: a transaction takes the write lock at its
 * beginning (a later lock could fail half way), waiting for the lock does not block the event loop,
 * and statements are prepared once. With `begin` as `begin`, transactions take no lock: for
 * connections that only read.
 */
export function sqliteDialect(
  connection: Sqlite.Database,
  { begin = 'begin immediate' }: { begin?: 'begin' | 'begin immediate' } = {},
): Dialect {
  return {
    createDriver: () => createSqliteDriver(connection, begin),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    // oxlint-disable-next-line typescript/no-explicit-any -- Kysely's own signature
    createIntrospector: (db: Kysely<any>) => new SqliteIntrospector(db),
  }
}

function createSqliteDriver(sqlite: Sqlite.Database, begin: string): Driver {
  const connection = createConnection(sqlite)
  const run = async (text: string) => {
    await connection.executeQuery(CompiledQuery.raw(text))
  }
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: () => run(begin),
    commitTransaction: () => run('commit'),
    rollbackTransaction: async () => {
      // A full disk or an I/O error has already rolled back.
      if (sqlite.inTransaction) await run('rollback')
    },
    releaseConnection: async () => {},
    destroy: async () => {
      sqlite.close()
    },
  }
}

function createConnection(sqlite: Sqlite.Database): DatabaseConnection {
  const statements = new Map<string, Sqlite.Statement<unknown[], never>>()

  function prepare(text: string): Sqlite.Statement<unknown[], never> {
    const known = statements.get(text)
    if (known !== undefined) return known
    if (statements.size >= statementsMax) statements.clear()
    const statement = sqlite.prepare<unknown[], never>(text)
    statements.set(text, statement)
    return statement
  }

  function execute<Row>(query: CompiledQuery): QueryResult<Row> {
    const statement = prepare(query.sql)
    if (statement.reader) return { rows: statement.all(...query.parameters) }
    const { changes } = statement.run(...query.parameters)
    return { numAffectedRows: BigInt(changes), rows: [] }
  }

  return {
    executeQuery: async <Row>(query: CompiledQuery) => {
      const deadlineMs = performance.now() + lockTimeoutMs
      for (let waitMs = 1; ; waitMs = Math.min(waitMs * 2, lockPollMaxMs)) {
        try {
          return execute<Row>(query)
        } catch (error) {
          const busy = errorCode(error).startsWith('SQLITE_BUSY') && !sqlite.inTransaction
          if (!busy || performance.now() > deadlineMs) throw toCatalogueError(error)
        }
        await sleep(waitMs)
      }
    },
    streamQuery: () => {
      throw new Error('the catalogue is read in pages, not in streams')
    },
  }
}
