import { sql, type Insertable, type RawBuilder, type SqlBool, type Updateable } from 'kysely'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'

// Many rows or values are one JSON parameter, so that the statement is the same for any number.
// With a parameter each, every number of rows would be a new statement, and SQLite caches its
// statements: a megabyte for a thousand rows.

/** Inserts rows with equal columns in one statement. */
export async function insertRows<
  Table extends keyof Tables,
  Computed extends keyof Insertable<Tables[Table]> & string = never,
>(
  tx: Database,
  table: Table,
  {
    rows,
    computed,
    skipTaken,
    returning,
  }: {
    rows: readonly Omit<Insertable<Tables[Table]>, Computed>[]
    /** Columns that the database computes, with the same value in each row. */
    computed?: Readonly<Record<Computed, RawBuilder<unknown>>>
    /**
     * Skips rows whose unique value is taken; by default, one of them fails the whole statement.
     */
    skipTaken?: true
    /** The column whose values are returned for the inserted rows. */
    returning?: keyof Tables[Table] & string
  },
): Promise<readonly unknown[]> {
  const [first] = rows
  if (first === undefined) return []
  const given = Object.keys(first).map((column) => sql.ref(column))
  const added = Object.values<RawBuilder<unknown>>(computed ?? {})
  const columns = sql.join([...given, ...Object.keys(computed ?? {}).map((column) => sql.ref(column))])
  // `where true` ends the select: without it, SQLite parses `on` of `on conflict` as a join
  // condition. A single row needs no table, which is twice as fast.
  const source =
    rows.length === 1
      ? sql`values (${sql.join([...Object.values(first), ...added])})`
      : sql`select ${sql.join([...given, ...added])} from ${rowsAsTable(tx, table, rows)} where true`
  const { rows: answers } = await sql<{ value: unknown }>`
    insert into ${sql.table(table)} (${columns})
    ${source}
    ${skipTaken === undefined ? sql`` : sql`on conflict do nothing`}
    ${returning === undefined ? sql`` : sql`returning ${sql.ref(returning)} as value`}
    ${sql.raw(`/* insert ${table} */`)}`.execute(tx.kysely)
  return answers.map(({ value }) => value)
}

/**
 * Updates codes in one statement and returns the ids of the updated codes: those whose stored
 * `version` is one less than the given one. All rows must have equal columns.
 */
export async function updateQrCodeRows(
  tx: Database,
  rows: readonly (Updateable<Tables['qr_codes']> & {
    organization_id: string
    id: string
    version: number
  })[],
): Promise<Set<string>> {
  const [first] = rows
  if (first === undefined) return new Set()
  const { organization_id: _, id: __, ...changed } = first
  const columns = Object.keys(changed)
  // Also compares the organization with the row's: with a constant, SQLite scans the whole
  // organization for each row.
  const { rows: updated } = await sql<{ id: string }>`
    update qr_codes
    set ${sql.join(columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`r.${column}`)}`))}
    from ${rowsAsTable(tx, 'qr_codes', rows)}
    where qr_codes.organization_id = r.organization_id
    and qr_codes.id = r.id
    and qr_codes.version = r.version - 1
    returning qr_codes.id as id
    /* db.updateQrCodeRows */`.execute(tx.kysely)
  return new Set(updated.map(({ id }) => id))
}

/** A condition: the column equals one of these texts. */
export function isOneOf(db: Database, column: string, values: readonly string[]): RawBuilder<SqlBool> {
  return db.dialect === 'sqlite'
    ? sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`
    : sql<SqlBool>`${sql.ref(column)} = any(${values})`
}

/** Texts as a table `t` with one column, `value`. */
export function textsAsTable(db: Database, values: readonly string[]): RawBuilder<unknown> {
  return db.dialect === 'sqlite'
    ? sql`json_each(${JSON.stringify(values)}) as t`
    : sql`unnest(${values}::text[]) as t (value)`
}

/**
 * Rows as a table `r` with columns of `table`, all or some of them. All rows must have equal
 * columns.
 */
export function rowsAsTable(db: Database, table: keyof Tables, rows: readonly object[]): RawBuilder<unknown> {
  const json = toJson(rows)
  if (db.dialect === 'postgres')
    return sql`json_populate_recordset(null::${sql.table(table)}, ${json}::json) as r`
  const columns = Object.keys(rows[0] ?? {}).map(
    (column) => sql`value ->> ${sql.lit(column)} as ${sql.ref(column)}`,
  )
  return sql`(select ${sql.join(columns)} from json_each(${json})) as r`
}

/**
 * PostgreSQL rejects half of a surrogate pair in JSON. In plain parameters, the drivers convert it
 * to U+FFFD.
 */
function toJson(rows: readonly object[]): string {
  return JSON.stringify(rows, (_key, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  )
}
