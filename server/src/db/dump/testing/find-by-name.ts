import { sql } from 'kysely'
import type { Database } from '../../database.ts'

/** Returns ids of codes whose name contains a text, newest first, through SQLite's own index. */
export async function findByName(db: Database, part: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select q.id
    from qr_code_names as n
    join qr_codes as q on q.number = n.rowid
    where n.name_search match ${`"${part}"`}
    order by n.rowid desc`.execute(db.kysely)
  return rows.map(({ id }) => id)
}
