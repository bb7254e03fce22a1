import { sql } from 'kysely'
import type { Database } from './database.ts'

/** Returns the size of the catalogue on disk, with its indexes. */
export async function catalogueBytes(db: Database): Promise<number> {
  const { rows } =
    db.dialect === 'sqlite'
      ? await sql<{ bytes: number }>`/* db.catalogueBytes */
          select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`.execute(
          db.kysely,
        )
      : await sql<{ bytes: string }>`/* db.catalogueBytes */
          select coalesce(sum(pg_total_relation_size(oid)), 0)::bigint as bytes
          from pg_class
          where relnamespace = current_schema()::regnamespace and relkind = 'r'`.execute(db.kysely)
  return Number(rows[0]?.bytes)
}
