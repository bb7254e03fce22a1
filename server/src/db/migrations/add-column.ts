import Sqlite from 'better-sqlite3'

/** Columns whose value in every existing row is a constant: SQLite then writes no row. */
const addition =
  /^\s*alter table (\w+) add column \w+ (?:text|integer)(?: not null default (?:-?\d+|'[^']*'))?\s*$/

/**
 * Runs a statement of a migration. Adds a column without the check of every row that SQLite makes
 * for each column of a strict table, which takes seconds with a million codes: the stored text of
 * the table is replaced (https://sqlite.org/lang_altertable.html#otheralter). The text is the one
 * that SQLite itself makes, from the same statement on an empty table. Needs a transaction.
 */
export function runStatement(connection: Sqlite.Database, statement: string): void {
  const table = addition.exec(statement)?.[1]
  if (table === undefined) return void connection.exec(statement)
  const place = `where type = 'table' and name = ?`
  const before = connection
    .prepare<[string], string>(`select sql from sqlite_schema ${place}`)
    .pluck()
    .get(table)
  if (before === undefined) return void connection.exec(statement)
  const after = textAfter(before, { table, statement })
  const version = Number(connection.pragma('schema_version', { simple: true }))
  connection.unsafeMode(true)
  try {
    connection.pragma('writable_schema = on')
    connection.prepare(`update sqlite_schema set sql = ? ${place}`).run(after, table)
    // Other connections, and this one after a rollback, read the schema again.
    connection.pragma(`schema_version = ${version + 1}`)
  } finally {
    connection.pragma('writable_schema = reset')
    connection.unsafeMode(false)
  }
}

/** Returns the text of a table with one more column. */
function textAfter(text: string, { table, statement }: { table: string; statement: string }): string {
  const empty = new Sqlite(':memory:')
  try {
    empty.exec(text)
    empty.exec(statement)
    return empty
      .prepare<[string], string>('select sql from sqlite_schema where name = ?')
      .pluck()
      .get(table) as string
  } finally {
    empty.close()
  }
}
