import { DatabaseError } from 'pg'
import { FatalError } from '../../errors.ts'
import { createMigrations } from '../migrations/migration.ts'
import { postgresTypes, refuseServer, lockSchema } from '../migrations/migrate-postgres.ts'
import type { Migration } from '../migrations/migration.ts'
import { catalogue } from '../migrations/versions/0001-catalogue.ts'
import { codeCounts } from '../migrations/versions/0007-code-counts.ts'
import { events } from '../migrations/versions/0009-events.ts'
import { quoted } from './catalogue-shape.ts'
import { refuseContentsOfPostgres } from './contents.ts'
import type { CatalogueLoad } from './catalogue-dump.ts'
import { inPostgresSession, type PostgresPlace, type PostgresSession } from './postgres-session.ts'
import { damagedCopy, insertParts, type DumpRows, type DumpValue } from './read-parts.ts'

/** Loads schema and rows in one transaction, so that no other session sees a partial load. */
export async function loadPostgres(
  place: PostgresPlace,
  { shape, parts, amend }: CatalogueLoad,
): Promise<ReadonlyMap<string, number>> {
  return inPostgresSession(place, 'write', async (db, session) => {
    await session.withClient(async (client) => {
      await refuseServer(client)
      await lockSchema(client, place.log)
    })
    await refuseContentsOfPostgres(session, place.databaseUrl)
    await session.query(createMigrations(postgresTypes))
    await applyMigrations(session, shape.migrations)
    const complete = await dropForBulkLoad(session)
    const counts = await insertParts(parts, shape, (rows) =>
      translatingErrors(() => insertRows(session, rows)),
    )
    for (const { migration, statement } of conversions)
      if (shape.migrations.includes(migration)) await session.query(statement)
    await translatingErrors(complete)
    if (amend !== undefined) {
      await applyMigrations(session, shape.missing)
      await amend(db)
    }
    // The first queries may run before the server analyzes the tables on its own.
    await session.query(`analyze ${shape.tables.map(({ name }) => quoted(name)).join(', ')}`)
    return counts
  })
}

async function applyMigrations(session: PostgresSession, migrations: readonly Migration[]): Promise<void> {
  for (const { name, statements } of migrations) {
    for (const statement of statements(postgresTypes)) await session.query(statement)
    await session.query('insert into migrations values ($1, $2)', [name, Date.now()])
  }
}

/**
 * Drops whatever is cheaper to create from all rows at once, and returns a function that restores
 * it. Foreign keys would be checked row by row, with a plan for empty tables. Triggers would count
 * rows that are already counted; the owner of a table may disable them.
 */
async function dropForBulkLoad(session: PostgresSession): Promise<() => Promise<void>> {
  const parts = await session.query<{ remove: string; restore: string }>(partsOfSchema)
  for (const { remove } of parts) await session.query(remove)
  return async () => {
    for (const { restore } of parts.toReversed()) await session.query(restore)
  }
}

const partsOfSchema = `/* db.load */
  select remove, restore
  from (
    select 1 as place,
      format('alter table %s drop constraint %I', conrelid::regclass, conname) as remove,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as restore
    from pg_constraint
    where contype = 'f' and connamespace = current_schema()::regnamespace
    union all
    select 2, format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
    from pg_index
    join pg_class as t on t.oid = indrelid
    where t.relkind = 'r' and t.relnamespace = current_schema()::regnamespace
    and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
    and not exists (
      select from pg_depend as d where d.classid = 'pg_class'::regclass and d.objid = t.oid and d.deptype = 'e')
    union all
    select 3, format('alter table %s disable trigger user', oid::regclass),
      format('alter table %s enable trigger user', oid::regclass)
    from pg_class as t
    where relkind = 'r' and relnamespace = current_schema()::regnamespace
    and exists (select from pg_trigger where tgrelid = t.oid and not tgisinternal)
  ) as parts
  order by place, remove`

/** Converts data that only PostgreSQL has, or has in another form, after all rows are in. */
const conversions: readonly { migration: Migration; statement: string }[] = [
  // The counts of all folders together, as 0007 creates them.
  {
    migration: codeCounts,
    statement: `insert into qr_code_counts (organization_id, folder_id, type, status, codes, writes)
      select organization_id, '*', type, status, sum(codes), sum(writes)
      from qr_code_counts
      group by organization_id, type, status`,
  },
  // The feed would report numbers beyond this server's current one as changes once the server
  // reaches them. Caches are empty after a load, so any older number will do.
  {
    migration: catalogue,
    statement: `update changes set version = pg_current_xact_id() where version > pg_current_xact_id()`,
  },
  // No reader would get pages with such numbers, and new pages would sort before them. Assigns as
  // few numbers as keep the order of each organization's pages, up to this transaction's number:
  // they decrease only where an id does.
  {
    migration: events,
    statement: `with steps as (
        select organization_id, id, version,
          case when id < lag(id) over in_order then 1 else 0 end as step
        from event_pages
        window in_order as (partition by organization_id order by version, id)
      ), numbered as (
        select organization_id, id,
          sum(step) over (partition by organization_id order by version desc, id desc) - step as back
        from steps
      )
      update event_pages as p
      set version = greatest(pg_current_xact_id()::text::numeric - back, 3)::text::xid8
      from numbered as n
      where n.organization_id = p.organization_id and n.id = p.id
      and exists (select from event_pages where version > pg_current_xact_id())`,
  },
]

async function insertRows(session: PostgresSession, { table, columns, rows }: DumpRows): Promise<void> {
  const lines = rows.map((row) => {
    const nul = row.findIndex((value) => typeof value === 'string' && value.includes('\0'))
    if (nul >= 0) throw unwritable(table.name, columns[nul] ?? '')
    return `${row.map(fieldOf).join('\t')}\n`
  })
  await session.copyIn(
    `copy ${quoted(table.name)} (${columns.map(quoted).join(', ')}) from stdin /* db.load */`,
    Buffer.from(lines.join('')),
  )
}

function unwritable(table: string, column: string): FatalError {
  return new FatalError(
    `PostgreSQL cannot hold this catalogue: a text in the column ${column} of ${table} contains the character NUL; remove it from the catalogue on SQLite with: update ${table} set ${column} = replace(${column}, char(0), '')`,
  )
}

/** https://www.postgresql.org/docs/current/sql-copy.html: the text format. */
function fieldOf(value: DumpValue): string {
  if (value === null) return '\\N'
  if (typeof value === 'number') return String(value)
  return value.replaceAll(/[\\\n\r\t]/g, (sign) => escapes[sign] ?? sign)
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Converts errors about values and rows that the server rejects: the copy is at fault. */
async function translatingErrors(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const refused = error instanceof DatabaseError && /^2[23]/.test(error.code ?? '')
    throw refused ? damagedCopy(error.message, error) : error
  }
}
