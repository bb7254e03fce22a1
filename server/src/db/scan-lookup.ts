import type { Database } from './database.ts'
import { toCatalogueError, toPostgresError } from './errors.ts'
import { openSqliteConnection } from './sqlite.ts'

/** What a scan needs to know of a code. Of a deleted one only the ids and the code are left. */
export type ScanTarget = {
  organizationId: string
  qrCodeId: string
  shortCode: string
  status: 'ACTIVE' | 'ARCHIVED' | 'DELETED'
  /** Empty when deleted, as is `name`. */
  type: string
  name: string
  /** Parsed JSON objects; undefined when deleted. */
  data: unknown
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

const lookupSql = `/* db.scanLookup */
  select s.organization_id, s.qr_code_id, s.short_code, q.status, q.type, q.name, q.data, q.style,
    o.public_name, o.logo
  from short_codes s
  left join qr_codes q on q.organization_id = s.organization_id and q.id = s.qr_code_id
  left join organizations o on o.id = s.organization_id
  where s.canonical_code = $1`

type Row = {
  organization_id: string
  qr_code_id: string
  short_code: string
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
    const statement = connection.prepare<[string], Row>(lookupSql.replace('$1', '?'))
    const lookup = (canonicalCode: string) => {
      try {
        return toScanTarget(statement.get(canonicalCode))
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
      const { rows } = await pool.query<Row>(query)
      return toScanTarget(rows[0])
    } catch (error) {
      throw toPostgresError(error)
    }
  }
  return { lookup, close: async () => {} }
}

function toScanTarget(row: Row | undefined): ScanTarget | undefined {
  if (row === undefined) return undefined
  return {
    organizationId: row.organization_id,
    qrCodeId: row.qr_code_id,
    shortCode: row.short_code,
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
