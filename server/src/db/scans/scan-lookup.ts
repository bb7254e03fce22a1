import { isPageType, qrCodeTypes } from '@everscan/contract/code-types/code-types.ts'
import type { Database } from '../database.ts'
import { toCatalogueError, toPostgresError } from '../errors.ts'
import { queryPlanned } from '../dialects/postgres.ts'
import { openSqliteConnection } from '../dialects/sqlite.ts'

/**
 * The data of a code for a scan. Deleted codes keep only their ids and short code. Redirect-only
 * codes omit what only landing pages need.
 */
export type ScanTarget = {
  organizationId: string
  qrCodeId: string
  /** The key of the lookup: see `codeKey`. */
  codeKey: string
  /** In its original spelling; empty for a redirect-only code. */
  shortCode: string
  status: 'ACTIVE' | 'ARCHIVED' | 'DELETED'
  /** Empty for a deleted code. */
  type: string
  /** Empty for a deleted or redirect-only code. */
  name: string
  /** Parsed JSON; undefined for a deleted code. */
  data: unknown
  /** Parsed JSON; undefined if the code has none. */
  rules?: unknown
  /** Whether the query of a scan reaches the destination. */
  passQuery?: true
  /** Parsed JSON; undefined if the code has none. */
  access?: unknown
  /** A PHC string. */
  passwordHash?: string
  /** How often the count of the limit began anew. */
  limitResets?: number
  /** Parsed JSON; undefined for a deleted or redirect-only code. */
  style: unknown
  /** The organization's name and logo on pages. */
  brand: { name?: string; logo?: { dataUri: string; widthPx: number; heightPx: number } }
}

/**
 * Looks up a code by its key (`codeKey`): one query by primary key, synchronous on SQLite, a
 * promise on PostgreSQL.
 */
export type ScanLookup = {
  /**
   * Returns undefined if the code was never assigned. Throws `CatalogueUnavailable`, or rejects
   * with it.
   */
  lookup: (codeKey: string) => ScanTarget | undefined | Promise<ScanTarget | undefined>
  close: () => Promise<void>
}

/** How long a lookup may block a redirect while another process locks the file. */
const busyTimeoutMs = 250

/**
 * Types whose scan always redirects: a lookup reads nothing else of such a code, unless a page
 * stands before it.
 */
const redirectingTypes = qrCodeTypes.filter((type) => !isPageType(type))

const ofPages = (column: string) =>
  `case when q.access is null and q.access_password is null and q.type in (${redirectingTypes.map((type) => `'${type}'`).join(', ')}) then null else ${column} end`

// The second select is for deleted codes, which keep only their assignment; it reads nothing for
// other codes.
const lookupSql = `/* db.scanLookup */
  select q.organization_id, q.id as qr_code_id, q.status, q.type, q.data, q.rules, q.pass_query,
    q.access, q.access_password, q.limit_resets,
    ${ofPages('(select short_code from short_codes as s where s.canonical_code = q.canonical_code)')} as short_code,
    ${ofPages('q.name')} as name,
    ${ofPages('q.style')} as style,
    ${ofPages('(select public_name from organizations as o where o.id = q.organization_id)')} as public_name,
    ${ofPages('(select logo from organizations as o where o.id = q.organization_id)')} as logo
  from qr_codes as q
  where q.canonical_code = $1
  union all
  select s.organization_id, s.qr_code_id, null, null, null, null, null, null, null, null, s.short_code, null, null, null, null
  from short_codes as s
  where s.canonical_code = $1
  and not exists (select 1 from qr_codes as q where q.canonical_code = $1)
  limit 1`

type Row = {
  organization_id: string
  qr_code_id: string
  short_code: string | null
  status: 'ACTIVE' | 'ARCHIVED' | null
  type: string | null
  name: string | null
  data: string | null
  rules: string | null
  pass_query: number | null
  access: string | null
  access_password: string | null
  limit_resets: number | null
  style: string | null
  public_name: string | null
  logo: string | null
}

/** Opens the lookup. On SQLite it has a connection of its own. */
export function openScanLookup(db: Database): ScanLookup {
  if (db.source.dialect === 'sqlite') {
    const connection = openSqliteConnection(db.source.file, { busyTimeoutMs, readOnly: true })
    const statement = connection.prepare<[string, string, string], Row>(lookupSql.replaceAll('$1', '?'))
    const lookup = (codeKey: string) => {
      try {
        return toScanTarget(codeKey, statement.get(codeKey, codeKey, codeKey))
      } catch (error) {
        throw toCatalogueError(error)
      }
    }
    return {
      lookup,
      close: async () => {
        connection.close()
      },
    }
  }
  const { pool } = db.source
  const lookup = async (codeKey: string) => {
    try {
      const query = { name: 'everscan-lookup', text: lookupSql, values: [codeKey] }
      const [row] = await queryPlanned<Row>(pool, query)
      return toScanTarget(codeKey, row)
    } catch (error) {
      throw toPostgresError(error)
    }
  }
  return { lookup, close: async () => {} }
}

function toScanTarget(codeKey: string, row: Row | undefined): ScanTarget | undefined {
  if (row === undefined) return undefined
  return {
    organizationId: row.organization_id,
    qrCodeId: row.qr_code_id,
    codeKey,
    shortCode: row.short_code ?? '',
    status: row.status ?? 'DELETED',
    type: row.type ?? '',
    name: row.name ?? '',
    data: row.data === null ? undefined : JSON.parse(row.data),
    ...(row.rules !== null && { rules: JSON.parse(row.rules) }),
    ...(row.access !== null && { access: JSON.parse(row.access), limitResets: Number(row.limit_resets) }),
    ...(row.access_password !== null && { passwordHash: row.access_password }),
    ...(Number(row.pass_query) === 1 && { passQuery: true }),
    style: row.style === null ? undefined : JSON.parse(row.style),
    brand: {
      ...(row.public_name !== null && { name: row.public_name }),
      ...(row.logo !== null && { logo: JSON.parse(row.logo) }),
    },
  }
}
