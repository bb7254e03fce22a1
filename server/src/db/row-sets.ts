import { sql, type Insertable, type RawBuilder, type SqlBool } from 'kysely'
import type { Database } from './database.ts'
import type { Tables } from './tables.ts'

/**
 * Many rows or values as one parameter of JSON: the statement is the same however many there are. (A parameter each would
 * make a new statement for every number of rows, and SQLite keeps statements: a megabyte for a thousand rows.)
 */

export type InsertOptions<Table extends keyof Tables> = {
  /** Leaves out rows whose unique value is taken; otherwise one of them fails them all. */
  skipTaken?: true
  /** The column whose values, of the rows that were inserted, are the answer. */
  returning?: keyof Tables[Table] & string
}

/** Inserts rows that all have the same columns, in one statement. */
export async function insertRows<Table extends keyof Tables>(
  tx: Database,
  table: Table,
  { rows, skipTaken, returning }: InsertOptions<Table> & { rows: readonly Insertable<Tables[Table]>[] },
): Promise<readonly unknown[]> {
  const [first] = rows
  if (first === undefined) return []
  const columns = Object.keys(first)
  const { rows: answers } = await sql<{ value: unknown }>`
    insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    ${tx.dialect === 'sqlite' ? sqliteRows(columns, rows) : postgresRows(table, columns, rows)}
    ${skipTaken === undefined ? sql`` : sql`on conflict do nothing`}
    ${returning === undefined ? sql`` : sql`returning ${sql.ref(returning)} as value`}
    ${sql.raw(`/* insert ${table} */`)}`.execute(tx.kysely)
  return answers.map(({ value }) => value)
}

/** Whether a column has one of these texts. */
export function isOneOf(db: Database, column: string, values: readonly string[]): RawBuilder<SqlBool> {
  return db.dialect === 'sqlite'
    ? sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`
    : sql<SqlBool>`${sql.ref(column)} = any(${values})`
}

// `where true` ends the select: without it SQLite reads `on` of `on conflict` as a join's.
function sqliteRows(columns: readonly string[], rows: readonly object[]): RawBuilder<unknown> {
  const fields = columns.map((column) => sql`value ->> ${sql.lit(column)}`)
  return sql`select ${sql.join(fields)} from json_each(${toJson(rows)}) where true`
}

function postgresRows(
  table: string,
  columns: readonly string[],
  rows: readonly object[],
): RawBuilder<unknown> {
  return sql`select ${sql.join(columns.map((column) => sql.ref(column)))}
    from json_populate_recordset(null::${sql.table(table)}, ${toJson(rows)}::json)`
}

/** PostgreSQL refuses half of a surrogate pair in JSON; as a parameter of its own the drivers make it U+FFFD. */
function toJson(rows: readonly object[]): string {
  return JSON.stringify(rows, (_key, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  )
}
