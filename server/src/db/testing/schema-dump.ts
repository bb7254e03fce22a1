import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../database.ts'

/**
 * Returns the schema of a catalogue and a digest of all rows, except when migrations were applied:
 * equal catalogues return equal lines.
 */
export async function dumpCatalogue(db: Database): Promise<string[]> {
  const parts = await rowsOf(db, db.dialect === 'sqlite' ? sqliteSchema : postgresSchema)
  const names = await rowsOf(db, db.dialect === 'sqlite' ? sqliteTables : postgresTables)
  const lines = parts.map((row) => JSON.stringify(row))
  for (const { name } of names) {
    const columns = name === 'migrations' ? 'name' : '*'
    const rows = await rowsOf(db, `select ${columns} from "${String(name)}"`)
    // Counts have a row for each process of the server that changed them.
    const counted = String(name).endsWith('_counts')
    const texts = rows
      .map((row) => Object.entries(row).filter(([column]) => !counted || column !== 'writer'))
      .map((row) => JSON.stringify(row))
      .sort()
    const content =
      name === 'migrations' ? texts.join() : createHash('sha256').update(texts.join()).digest('hex')
    lines.push(`${String(name)}: ${rows.length} rows, ${content}`)
  }
  return lines
}

async function rowsOf(db: Database, text: string): Promise<Record<string, unknown>[]> {
  const { rows } = await sql.raw<Record<string, unknown>>(text).execute(db.kysely)
  return rows
}

const sqliteSchema = 'select type, name, tbl_name, sql from sqlite_master order by type, name'
// Excludes SQLite's own tables of the full-text index.
const sqliteTables = `select name from sqlite_master where type = 'table' and sql not like 'create virtual%' and name not like 'sqlite_%' order by name`
const postgresTables = `select tablename as name from pg_tables where schemaname = 'public' order by 1`
const postgresSchema = `
  select 'column' as kind, table_name || '.' || column_name as name,
    concat_ws(' ', data_type, collation_name, is_nullable, column_default, is_identity) as text
  from information_schema.columns where table_schema = 'public'
  union all select 'index', indexname, indexdef from pg_indexes where schemaname = 'public'
  union all select 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid)
    from pg_constraint where connamespace = 'public'::regnamespace
  union all select 'trigger', tgrelid::regclass || '.' || tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  union all select 'function', proname, pg_get_functiondef(oid) from pg_proc
    where pronamespace = 'public'::regnamespace and prokind = 'f' and probin is null
  union all select 'table', relname, array_to_string(reloptions, ',') from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'
  order by 1, 2, 3`
