import { FatalError } from '../../errors.ts'
import { placeOf } from '../database-problems.ts'
import { quoted, shapeAfter, type ColumnShape, type TableShape } from './catalogue-shape.ts'
import type { CatalogueSnapshot } from './catalogue-snapshot.ts'
import { inPostgresSession, type PostgresPlace, type PostgresSession } from './postgres-session.ts'
import { chunksOfBytes } from './row-chunks.ts'

/**
 * PostgreSQL counts per connection, and counts all folders together once more. Added up, its counts
 * equal those of SQLite.
 */
const countsAddedUp: Readonly<Record<string, string>> = {
  qr_code_counts: `(
    select organization_id, type, status, folder_id, sum(codes) as codes, sum(writes) as writes
    from qr_code_counts
    where folder_id <> '*'
    group by organization_id, type, status, folder_id)`,
  qr_code_tag_counts: `(
    select organization_id, folder_id, tag, type, status, sum(codes) as codes
    from qr_code_tag_counts
    group by organization_id, folder_id, tag, type, status
    having sum(codes) <> 0)`,
}

export function withPostgresSnapshot<Result>(
  place: PostgresPlace,
  work: (snapshot: CatalogueSnapshot) => Promise<Result>,
): Promise<Result> {
  return inPostgresSession(place, 'snapshot', async (db, session) => {
    const applied = await appliedMigrations(session, place.databaseUrl)
    const { migrations, tables } = shapeAfter(applied, 'the catalogue')
    return work({
      db,
      migrations: migrations.map(({ name }) => name),
      tables: tables.map(({ name }) => name),
      rows: (name) => {
        const table = tables.find((each) => each.name === name)
        if (table === undefined) throw new Error(`the catalogue has no table "${name}"`)
        return {
          columns: table.columns.map((column) => column.name),
          chunks: chunksOfBytes(session.copyOut(copyStatement(table))),
        }
      },
    })
  })
}

async function appliedMigrations(session: PostgresSession, databaseUrl: string): Promise<readonly string[]> {
  const [table] = await session.query<{ isThere: boolean }>(
    `select to_regclass('migrations') is not null as "isThere"`,
  )
  const rows =
    table?.isThere === true ? await session.query<{ name: string }>('select name from migrations') : []
  if (rows.length > 0) return rows.map(({ name }) => name)
  const { server, database } = placeOf(databaseUrl)
  throw new FatalError(
    `DATABASE_URL: there is no catalogue in the database "${database}" at ${server}; name the database of an installation`,
  )
}

/**
 * The server formats lines as `JSON.stringify` does. CSV with these delimiters, which JSON escapes,
 * leaves every non-empty value unquoted.
 */
function copyStatement({ name, columns, key }: TableShape): string {
  const line = `'[' || concat_ws(',', ${columns.map(jsonOf).join(', ')}) || ']'`
  return `copy (
      select ${line}
      from ${countsAddedUp[name] ?? quoted(name)} as t
      order by ${key.map(quoted).join(', ')}
    ) to stdout with (format csv, delimiter e'\\x1e', quote e'\\x1f') /* db.dump */`
}

function jsonOf({ name, type }: ColumnShape): string {
  // Transaction numbers can only be read as numbers through text.
  const value = type === 'integer' ? quoted(name) : `to_json(${quoted(name)})`
  return `coalesce(${value}::text, 'null')`
}
