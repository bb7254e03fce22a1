import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../database.ts'

/** The clock of the database in milliseconds since 1970, which all machines share. */
export function databaseNowMs(db: Database): RawBuilder<number> {
  return db.dialect === 'postgres'
    ? sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`
    : sql`cast(unixepoch('subsec') * 1000 as integer)`
}
