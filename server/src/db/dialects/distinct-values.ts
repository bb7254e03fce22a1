import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'

/**
 * Returns the distinct values of a column. Finds each with one step through an index that begins
 * with the column and contains only the rows of `where`: the cost depends on the number of values,
 * not of rows. `select distinct` would read every row.
 */
export async function distinctValues<Table extends keyof Tables>(
  db: Database,
  table: Table,
  { column, where }: { column: keyof Tables[Table] & string; where: RawBuilder<SqlBool> },
): Promise<string[]> {
  const least = sql`select min(${sql.ref(column)}) from ${sql.table(table)} where ${where}`
  const { rows } = await sql<{ value: string }>`/* db.distinctValues */
    with recursive found (value) as (
      select (${least})
      union all
      select (${least} and ${sql.ref(column)} > found.value) from found where found.value is not null)
    select value from found where value is not null`.execute(db.kysely)
  return rows.map(({ value }) => value)
}
