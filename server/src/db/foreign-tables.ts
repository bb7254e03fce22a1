import { sql } from 'kysely'
import type { Database } from './database.ts'
import { placeOf } from './database-problems.ts'

const namesMax = 3

/**
 * Returns the names of all tables of a database, also of those that this user may not read.
 * Excludes the tables of extensions, which a managed database often has.
 */
export async function listTables(db: Database): Promise<string[]> {
  const { rows } =
    db.dialect === 'sqlite'
      ? await sql<{ name: string }>`/* db.listTables */
          select name
          from sqlite_master
          where type = 'table' and name not like 'sqlite!_%' escape '!'
          order by name`.execute(db.kysely)
      : await sql<{ name: string }>`/* db.listTables */
          select relname::text as name
          from pg_class as c
          where relnamespace = current_schema()::regnamespace
          and relkind in ('r', 'p')
          and not exists (
            select from pg_depend as d
            where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
          )
          order by 1`.execute(db.kysely)
  return rows.map(({ name }) => name)
}

/** Returns a sentence about a database with these tables of another program, and none of ours. */
export function foreignTablesText({ source }: Database, tables: readonly string[]): string {
  const more = tables.length - namesMax
  const named = `${tables.slice(0, namesMax).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  if (source.dialect === 'sqlite')
    return `the file ${source.file} holds tables of another program (${named}) and no catalogue of Everscan: correct DATA_DIR, or move the file away`
  const { server, database } = placeOf(source.url)
  return `DATABASE_URL: the database "${database}" at ${server} holds tables of another program (${named}) and no catalogue of Everscan: correct the address, or give Everscan a database of its own: createdb everscan`
}
