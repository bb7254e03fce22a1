import type { Database } from '../database.ts'
import { toCatalogueError, toPostgresError } from '../errors.ts'
import { queryPlanned } from '../dialects/postgres.ts'
import { openSqliteConnection } from '../dialects/sqlite.ts'

/** What a scan needs to know of a code. Of a deleted one only the ids and the code are left, of one that only redirects nothing is there that pages show. */
export type ScanTarget = {
  organizationId: string
  qrCodeId: string
  /** What it was looked up by. */
  canonicalCode: string
  /** As it was given; empty for a code that only redirects. */
  shortCode: string
  status: 'ACTIVE' | 'ARCHIVED' | 'DELETED'
  /** Empty when deleted. */
  type: string
  /** Empty when deleted or only redirecting. */
  name: string
  /** Parsed JSON; undefined when deleted. */
  data: unknown
  /** Parsed JSON; undefined when deleted or only redirecting. */
  style: unknown
  /** What the organization shows on pages. */
  brand: { name?: string; logo?: { dataUri: string; widthPx: number; heightPx: number } }
}

/** Reads one code by its canonical form: one query by primary key, at once on SQLite, a promise on PostgreSQL. */
export type ScanLookup = {
  /** Undefined: never assigned. Throws, or rejects with, `CatalogueUnavailable`. */
  lookup: (canonicalCode: string) => ScanTarget | undefined | Promise<ScanTarget | undefined>
  close: () => Promise<void>
}

/** How long a lookup may block a redirect while another process holds the file. */
const busyTimeoutMs = 250

/** Types whose scan only ever redirects: nothing else of such a code is read. */
export const redirectingTypes: ReadonlySet<string> = new Set(['URL', 'PDF', 'VIDEO'])

const ofPages = (column: string) =>
  `case when q.type in (${[...redirectingTypes].map((type) => `'${type}'`).join(', ')}) then null else ${column} end`

// The second select is for codes that were deleted, of which only what was assigned is left; nothing of it is looked at for others.
const lookupSql = `/* db.scanLookup */
  select q.organization_id, q.id as qr_code_id, q.status, q.type, q.data,
    ${ofPages('(select short_code from short_codes as s where s.canonical_code = q.canonical_code)')} as short_code,
    ${ofPages('q.name')} as name,
    ${ofPages('q.style')} as style,
    ${ofPages('(select public_name from organizations as o where o.id = q.organization_id)')} as public_name,
    ${ofPages('(select logo from organizations as o where o.id = q.organization_id)')} as logo
  from qr_codes as q
  where q.canonical_code = $1
  union all
  select s.organization_id, s.qr_code_id, null, null, null, s.short_code, null, null, null, null
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
  style: string | null
  public_name: string | null
  logo: string | null
}

/** Opens the lookup; on SQLite with a connection of its own. */
export function openScanLookup(db: Database): ScanLookup {
  if (db.source.dialect === 'sqlite') {
    const connection = openSqliteConnection(db.source.file, { busyTimeoutMs, readOnly: true })
    const statement = connection.prepare<[string, string, string], Row>(lookupSql.replaceAll('$1', '?'))
    const lookup = (canonicalCode: string) => {
      try {
        return toScanTarget(canonicalCode, statement.get(canonicalCode, canonicalCode, canonicalCode))
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
  const lookup = async (canonicalCode: string) => {
    try {
      const query = { name: 'everscan-lookup', text: lookupSql, values: [canonicalCode] }
      const [row] = await queryPlanned<Row>(pool, query)
      return toScanTarget(canonicalCode, row)
    } catch (error) {
      throw toPostgresError(error)
    }
  }
  return { lookup, close: async () => {} }
}

function toScanTarget(canonicalCode: string, row: Row | undefined): ScanTarget | undefined {
  if (row === undefined) return undefined
  return {
    organizationId: row.organization_id,
    qrCodeId: row.qr_code_id,
    canonicalCode,
    shortCode: row.short_code ?? '',
    status: row.status ?? 'DELETED',
    type: row.type ?? '',
    name: row.name ?? '',
    data: row.data === null ? undefined : JSON.parse(row.data),
    style: row.style === null ? undefined : JSON.parse(row.style),
    brand: {
      ...(row.public_name !== null && { name: row.public_name }),
      ...(row.logo !== null && { logo: JSON.parse(row.logo) }),
    },
  }
}
