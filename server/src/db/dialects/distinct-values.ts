import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'

/**
 * The different values of a column, each found by one step through an index that begins with it and has only the rows of `where`: the cost is that
 * of the values, however many rows there are of each. `select distinct` would read every row.
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
