import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type Sqlite from 'better-sqlite3'
import { unpackDirectory } from '../../../test/support/data-fixtures.ts'
import { openSqliteConnection, sqliteFile } from '../dialects/sqlite.ts'
import { runStatement } from './add-column.ts'
import { migrations } from './migrate.ts'
import { sqliteTypes } from './migrate-sqlite.ts'

const root = mkdtempSync(join(tmpdir(), 'everscan-columns-'))
after(() => rmSync(root, { recursive: true, force: true }))

function open(file: string): Sqlite.Database {
  const connection = openSqliteConnection(file, { busyTimeoutMs: 0, readOnly: false })
  after(() => connection.close())
  return connection
}

const schemaOf = (connection: Sqlite.Database) =>
  connection.prepare('select type, name, tbl_name, rootpage, sql from sqlite_schema order by rowid').all()

/** Applies what the first release lacks, and returns the schema and the codes. */
function upgrade(name: string, run: typeof runStatement): unknown {
  const dataDir = join(root, name)
  unpackDirectory('data-0.1.0', dataDir)
  const connection = open(sqliteFile(dataDir))
  const known = connection.prepare<[], string>('select name from migrations').pluck().all()
  for (const migration of migrations.filter((each) => !known.includes(each.name)))
    connection.transaction(() => {
      for (const statement of migration.statements(sqliteTypes)) run(connection, statement)
    })()
  assert.deepEqual(connection.pragma('integrity_check'), [{ integrity_check: 'ok' }])
  const codes = connection.prepare('select * from qr_codes order by id').all()
  return { schema: schemaOf(connection), codes }
}

test('all migrations from the first release give the schema that SQLite itself gives', () => {
  const plain = upgrade('plain', (connection, statement) => void connection.exec(statement))
  assert.deepEqual(upgrade('quick', runStatement), plain)
})

/** Returns a file with a row that every check of its strict table would find. */
function withUncheckedRow(name: string): string {
  const file = join(root, `${name}.sqlite`)
  const connection = open(file)
  connection.exec('create table things (size integer not null check (size > 0), primary key (size)) strict')
  connection.pragma('ignore_check_constraints = on')
  connection.exec('insert into things values (-1)')
  connection.pragma('ignore_check_constraints = off')
  return file
}

test('a column with a constant is added without a look at the rows, and every connection sees it', () => {
  const connection = open(withUncheckedRow('unread'))
  const other = open(connection.name)
  assert.deepEqual(other.prepare('select * from things').all(), [{ size: -1 }])
  const columns = ["a text not null default ''", 'b integer not null default 0', 'c text', 'd integer']
  connection.transaction(() => {
    for (const column of columns) runStatement(connection, `alter table things add column ${column}`)
    connection.exec('create index things_b on things (b, size)')
  })()
  for (const each of [connection, other, open(connection.name)])
    assert.deepEqual(each.prepare('select * from things').all(), [
      { size: -1, a: '', b: 0, c: null, d: null },
    ])
  assert.throws(() => other.exec("insert into things values (1, '', 'no number', null, null)"), /INTEGER/)
  other.exec("insert into things values (1, 'x', 2, null, 3)")
  assert.throws(() => connection.exec('update sqlite_schema set sql = null'), /may not be modified/)
})

test('any other column is added by SQLite itself, which checks the rows', () => {
  const connection = open(withUncheckedRow('checked'))
  for (const column of ['a text check (a is null)', 'b text not null', 'c text references things (size)'])
    assert.throws(
      connection.transaction(() => runStatement(connection, `alter table things add column ${column}`)),
      /CHECK|NULL/,
      column,
    )
})

test('an error after it leaves the table as it was, for every connection', () => {
  const connection = open(withUncheckedRow('undone'))
  const other = open(connection.name)
  const before = schemaOf(other)
  assert.throws(
    connection.transaction(() => {
      runStatement(connection, 'alter table things add column a text')
      runStatement(connection, 'alter table things add column a text')
    }),
    /duplicate column name/,
  )
  for (const each of [connection, other, open(connection.name)]) {
    assert.deepEqual(schemaOf(each), before)
    assert.deepEqual(each.prepare('select * from things').all(), [{ size: -1 }])
  }
})
