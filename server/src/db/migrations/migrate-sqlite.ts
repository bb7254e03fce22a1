import { problem } from '@everscan/contract/problems/problem.ts'
import type Sqlite from 'better-sqlite3'
import type { Log } from '../../log.ts'
import { runStatement } from './add-column.ts'
import { copyCatalogue, copyBefore } from './catalogue-copies.ts'
import { createMigrations, logSlow, refuseLaterRelease, upgradeProgress } from './migration.ts'
import type { ColumnTypes, Migration, OnStep } from './migration.ts'
import { openSqliteConnection } from '../dialects/sqlite.ts'

export const sqliteTypes: ColumnTypes = {
  dialect: 'sqlite',
  text: 'text',
  integer: 'integer',
  transactionVersion: 'integer',
  strict: 'strict',
}

/**
 * Applies missing migrations, after a copy of the existing catalogue. Calls `onStep` after the copy
 * and after each statement.
 */
export function migrateSqlite(
  file: string,
  list: readonly Migration[],
  { onStep, log }: { onStep: OnStep; log: Log },
): readonly string[] {
  // Synchronous and blocking: nothing else runs yet, and another process may be migrating for a
  // minute.
  const connection = openSqliteConnection(file, { busyTimeoutMs: 60_000, readOnly: false })
  try {
    const before = knownMigrations(connection)
    refuseLaterRelease(before, list, (name) => {
      const copy = copyBefore(file, name)
      return copy === undefined ? 'restore a backup from before that upgrade' : `restore the copy ${copy}`
    })
    const missing = list.filter((migration) => !before.includes(migration.name))
    const [first] = missing
    const isUpgrade = first !== undefined && before.length > 0
    if (isUpgrade) {
      onStep(problem('catalogueCopied'))
      log.info({ migrations: missing.length }, 'copying the catalogue, and upgrading it then')
      copyCatalogue(connection, first.name)
    }
    onStep()
    connection.exec(createMigrations(sqliteTypes))
    const apply = connection.transaction((migration: Migration) => {
      if (knownMigrations(connection).includes(migration.name)) return []
      for (const statement of migration.statements(sqliteTypes)) {
        runStatement(connection, statement)
        onStep()
      }
      connection.prepare('insert into migrations values (?, ?)').run(migration.name, Date.now())
      return [migration.name]
    })
    return missing.flatMap((migration, index) => {
      if (isUpgrade) onStep(upgradeProgress(missing, index))
      const fromMs = performance.now()
      const applied = apply.immediate(migration)
      logSlow(log, migration, { fromMs, done: index + 1, of: missing.length })
      return applied
    })
  } finally {
    connection.close()
  }
}

function knownMigrations(connection: Sqlite.Database): readonly string[] {
  const there = connection.prepare(`select 1 from sqlite_master where name = 'migrations'`).get()
  if (there === undefined) return []
  return connection.prepare<[], string>('select name from migrations').pluck().all()
}
