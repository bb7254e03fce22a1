import type { CodeForm } from '@everscan/contract/domains/code-forms.ts'
import type { Database } from '../database.ts'
import { toCatalogueError, toPostgresError } from '../errors.ts'
import { openSqliteConnection } from '../dialects/sqlite.ts'

/** A host name that is or was a domain, for the front. */
export type HostRow = {
  hostname: string
  /** Whether it is proved now: only then it answers its codes. */
  isServed: boolean
  /** How its short codes are compared. */
  codes: CodeForm
  rootUrl: string | null
  notFoundUrl: string | null
  goneUrl: string | null
}

/** Reads host names for the front: synchronous on SQLite, a promise on PostgreSQL. */
export type HostLookup = {
  /** Returns one host, or undefined if it never was a domain. Throws `CatalogueUnavailable`. */
  read: (hostname: string) => HostRow | undefined | Promise<HostRow | undefined>
  /** Returns all hosts. */
  readAll: () => readonly HostRow[] | Promise<readonly HostRow[]>
  close: () => Promise<void>
}

/** How long a read may block a redirect while another process locks the file. */
const busyTimeoutMs = 250

const hostsSql = `/* db.hosts */
  select h.hostname, d.status as status, d.root_url as root_url, d.not_found_url as not_found_url,
    d.gone_url as gone_url, d.codes as codes
  from domain_hosts as h
  left join domains as d on d.hostname = h.hostname and d.status <> 'PENDING'`
const hostSql = `${hostsSql} where h.hostname = $1`

type Row = {
  hostname: string
  status: string | null
  root_url: string | null
  not_found_url: string | null
  gone_url: string | null
  codes: CodeForm | null
}

/** Opens the lookup. On SQLite it has a connection of its own. */
export function openHostLookup(db: Database): HostLookup {
  if (db.source.dialect === 'sqlite') {
    const connection = openSqliteConnection(db.source.file, { busyTimeoutMs, readOnly: true })
    const one = connection.prepare<[string], Row>(hostSql.replace('$1', '?'))
    const all = connection.prepare<[], Row>(hostsSql)
    return {
      read: (hostname) => guarded(() => toHostRow(one.get(hostname))),
      readAll: () => guarded(() => all.all().flatMap((row) => toHostRow(row) ?? [])),
      close: async () => {
        connection.close()
      },
    }
  }
  const { pool } = db.source
  const query = async (text: string, values: string[]): Promise<Row[]> => {
    try {
      return (await pool.query<Row>(text, values)).rows
    } catch (error) {
      throw toPostgresError(error)
    }
  }
  return {
    read: async (hostname) => toHostRow((await query(hostSql, [hostname]))[0]),
    readAll: async () => (await query(hostsSql, [])).flatMap((row) => toHostRow(row) ?? []),
    close: async () => {},
  }
}

function guarded<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw toCatalogueError(error)
  }
}

function toHostRow(row: Row | undefined): HostRow | undefined {
  if (row === undefined) return undefined
  const { hostname, status, root_url: rootUrl, not_found_url: notFoundUrl, gone_url: goneUrl } = row
  const codes = row.codes ?? 'canonical'
  return { hostname, isServed: status !== null, codes, rootUrl, notFoundUrl, goneUrl }
}
