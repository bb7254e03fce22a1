import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { FatalError } from '../../errors.ts'
import { placeOf } from '../database-problems.ts'
import { CatalogueUnavailable, errorCode, toCatalogueError } from '../errors.ts'
import { openSqliteConnection, sqliteFile } from '../dialects/sqlite.ts'
import { inPostgresSession, type PostgresPlace, type PostgresSession } from './postgres-session.ts'

const busyTimeoutMs = 5_000
const namesMax = 3

/**
 * Returns the contents of a directory in a few words. Undefined if it has no database file, or one
 * without tables.
 */
export function describeSqlite(dataDir: string): string | undefined {
  const file = sqliteFile(dataDir)
  const log = `${file}-wal`
  // SQLite would treat this log as that of any file that appears beside it.
  if (sizeOf(file) === 0)
    return sizeOf(log) === 0 ? undefined : `a ${basename(log)} without its ${basename(file)}`
  try {
    const found = readSqlite(file)
    // The last process that closes a file removes its log.
    return found ?? (sizeOf(log) === 0 ? undefined : `a ${basename(file)} that another process has open`)
  } catch (error) {
    const cause = error instanceof CatalogueUnavailable ? error.cause : error
    if (errorCode(cause) !== 'SQLITE_NOTADB') throw toCatalogueError(error)
    return `a ${basename(file)} that is not an SQLite database`
  }
}

function readSqlite(file: string): string | undefined {
  const connection = openSqliteConnection(file, { busyTimeoutMs, readOnly: true })
  try {
    const read = (text: string): string[] => connection.prepare<[], string>(text).pluck().all()
    const names = read(
      `select name from sqlite_master
       where type in ('table', 'view') and name not like 'sqlite!_%' escape '!'
       order by name`,
    )
    if (!isCatalogue(names)) return describe(names)
    return describe(names, { names: read(organizationNames), count: Number(read(organizationCount)[0]) })
  } finally {
    connection.close()
  }
}

export function refuseContentsOfSqlite(dataDir: string): void {
  const found = describeSqlite(dataDir)
  if (found === undefined) return
  throw new FatalError(
    `DATA_DIR: ${dataDir} holds ${found}; a catalogue can be loaded only into an empty directory: name another one, or move these files away`,
  )
}

export function describePostgres(place: PostgresPlace): Promise<string | undefined> {
  return inPostgresSession(place, 'snapshot', (_db, session) => readPostgres(session))
}

export async function refuseContentsOfPostgres(session: PostgresSession, databaseUrl: string): Promise<void> {
  const found = await readPostgres(session)
  if (found === undefined) return
  const { server, database } = placeOf(databaseUrl)
  throw new FatalError(
    `DATABASE_URL: the database "${database}" at ${server} holds ${found}; a catalogue can be loaded only into an empty database: create one with: createdb NAME`,
  )
}

async function readPostgres(session: PostgresSession): Promise<string | undefined> {
  const read = async (text: string): Promise<string[]> =>
    (await session.query<Record<string, string>>(text)).flatMap((row) => Object.values(row))
  const names = await read(postgresObjects)
  if (!isCatalogue(names)) return describe(names)
  return describe(names, {
    names: await read(organizationNames),
    count: Number((await read(organizationCount))[0]),
  })
}

const organizationNames = `select name from organizations order by id limit ${namesMax}`
const organizationCount = 'select count(*) as count from organizations'

/**
 * Objects that conflict with a schema. Excludes extensions, which often have tables of their own in
 * a managed database.
 */
const postgresObjects = `/* db.whatIsIn */
  select relname::text as name
  from pg_class as c
  where relnamespace = current_schema()::regnamespace
  and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
  and not exists (
    select from pg_depend as d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  union
  select proname || '()'
  from pg_proc as p
  where pronamespace = current_schema()::regnamespace
  and not exists (
    select from pg_depend as d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  order by 1`

function isCatalogue(names: readonly string[]): boolean {
  return ['migrations', 'organizations', 'qr_codes'].every((name) => names.includes(name))
}

function describe(
  names: readonly string[],
  organizations?: { names: readonly string[]; count: number },
): string | undefined {
  if (organizations !== undefined) {
    const named = organizations.names.map((name) => JSON.stringify(name))
    return organizations.count === 0
      ? 'a catalogue without an organization'
      : `a catalogue with the organization${organizations.count === 1 ? '' : 's'} ${listed(named, organizations.count)}`
  }
  return names.length > 0 ? listed(names.slice(0, namesMax), names.length) : undefined
}

/** Joins the given names, which are the first of `count`. */
function listed(names: readonly string[], count: number): string {
  const more = count - names.length
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
