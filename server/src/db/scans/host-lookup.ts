import type { CodeForm } from '@everscan/contract/domains/code-forms.ts'
import type { Database } from '../database.ts'
import { toCatalogueError, toPostgresError } from '../errors.ts'
import { openSqliteConnection } from '../dialects/sqlite.ts'

/** A host name that an organization proved at least once, for the front. */
export type HostRow = {
  hostname: string
  /**
   * The organizations that have proved it and did not remove it: it answers their codes alone.
   * Nobody is left of a host name that was removed.
   */
  owners: ReadonlySet<string>
  /** When codes of former owners end that were given notice, by organization. */
  ends: ReadonlyMap<string, number>
  /** How its short codes are compared. */
  codes: CodeForm
  rootUrl: string | null
  notFoundUrl: string | null
  goneUrl: string | null
}

/** Reads host names for the front: synchronous on SQLite, a promise on PostgreSQL. */
export type HostLookup = {
  /** Returns one host, or undefined if nobody ever proved it. Throws `CatalogueUnavailable`. */
  read: (hostname: string) => HostRow | undefined | Promise<HostRow | undefined>
  /** Returns all hosts. */
  readAll: () => readonly HostRow[] | Promise<readonly HostRow[]>
  close: () => Promise<void>
}

/** How long a read may block a redirect while another process locks the file. */
const busyTimeoutMs = 250

// A row for each organization that has or had the host name, the one that has it now first. A claim
// without a proof is in none of them: it changes nothing for anybody.
const hostsSql = `/* db.hosts */
  select h.hostname, h.codes as fixed, d.organization_id as owner, d.status as status,
    d.notice_ends_at_ms as ends_at_ms,
    d.root_url as root_url, d.not_found_url as not_found_url, d.gone_url as gone_url, d.codes as codes
  from domain_hosts as h
  left join domains as d on d.hostname = h.hostname and d.proved_at_ms is not null
  where h.proved_at_ms is not null`
const inOrder = `order by h.hostname, case when d.status = 'PENDING' then 1 else 0 end, d.organization_id`
const hostSql = `${hostsSql} and h.hostname = $1 ${inOrder}`
const allSql = `${hostsSql} ${inOrder}`

type Row = {
  hostname: string
  fixed: CodeForm | null
  owner: string | null
  status: string | null
  ends_at_ms: number | null
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
    const all = connection.prepare<[], Row>(allSql)
    return {
      read: (hostname) => guarded(() => toHosts(one.all(hostname))[0]),
      readAll: () => guarded(() => toHosts(all.all())),
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
    read: async (hostname) => toHosts(await query(hostSql, [hostname]))[0],
    readAll: async () => toHosts(await query(allSql, [])),
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

function toHosts(rows: readonly Row[]): HostRow[] {
  return [...Map.groupBy(rows, ({ hostname }) => hostname)].map(([hostname, ofHost]) => {
    const [first] = ofHost
    // The addresses are those of the organization that has it now.
    const current = first?.status === 'PENDING' ? undefined : first
    return {
      hostname,
      owners: new Set(ofHost.flatMap(({ owner }) => owner ?? [])),
      ends: new Map(
        ofHost.flatMap(({ owner, ends_at_ms: endsAtMs }) =>
          owner === null || endsAtMs === null ? [] : [[owner, endsAtMs] as const],
        ),
      ),
      codes: first?.fixed ?? first?.codes ?? 'canonical',
      rootUrl: current?.root_url ?? null,
      notFoundUrl: current?.not_found_url ?? null,
      goneUrl: current?.gone_url ?? null,
    }
  })
}
