import { sql } from 'kysely'
import { partsOfCodeKey } from '@everscan/contract/resources/short-codes.ts'
import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import type { StoredAccess } from '@everscan/contract/access/access.ts'
import { tag, type Database } from '../../db/database.ts'
import { isOneOf } from '../../db/dialects/row-sets.ts'
import { completeQrCodes, selectQrCodes } from './qr-code-rows.ts'
import type { QrCodeRow } from '../rows/qr-code-row.ts'

/** A style can contain a picture of 700 kB: this many of the largest codes fit into memory. */
const codesPerPage = 100
const redirectsPerPage = 1_000

/**
 * Yields all codes of an organization in pages, oldest first. Codes created or changed in the
 * meantime may be missing; no code comes twice. `changedOnly` yields only codes that have older
 * versions.
 */
export async function* eachQrCodePage(
  db: Database,
  organizationId: string,
  { changedOnly = false }: { changedOnly?: boolean } = {},
): AsyncGenerator<QrCodeRow[], void, undefined> {
  for (let after = '', read = codesPerPage; read === codesPerPage;) {
    const selected = await selectQrCodes(db, organizationId)
      .where('q.id', '>', after)
      // Both columns need this condition: PostgreSQL may use a merge join, which would otherwise
      // start each page at the first counter.
      .where('c.qr_code_id', '>', after)
      .$if(changedOnly, (query) => query.where('q.history_version', '>', 1))
      .orderBy('q.id')
      .limit(codesPerPage)
      .modifyEnd(tag('catalogue.eachQrCodePage'))
      .execute()
    yield await completeQrCodes(db, selected)
    read = selected.length
    after = selected.at(-1)?.id ?? after
  }
}

export type ActiveCode = {
  shortCode: string
  /** The host name of its own domain; empty for PUBLIC_URL. */
  domain: string
  type: QrCodeType
  data: Record<string, unknown>
  access: StoredAccess | null
  hasPassword: boolean
}

/** Yields the ACTIVE codes of an organization in pages, oldest first. */
export async function* eachActivePage(
  db: Database,
  organizationId: string,
): AsyncGenerator<ActiveCode[], void, undefined> {
  for (let after = '', read = redirectsPerPage; read === redirectsPerPage;) {
    const rows = await db.kysely
      .selectFrom('qr_codes as q')
      .innerJoin('short_codes as s', 's.canonical_code', 'q.canonical_code')
      .select([
        'q.id',
        's.short_code as shortCode',
        's.canonical_code as codeKey',
        'q.type',
        'q.status',
        'q.data',
      ])
      .select(['q.access', 'q.access_password as passwordHash'])
      .where('q.organization_id', '=', organizationId)
      .where('q.id', '>', after)
      .orderBy('q.id')
      .limit(redirectsPerPage)
      .modifyEnd(tag('catalogue.eachActivePage'))
      .execute()
    yield rows
      .filter(({ status }) => status === 'ACTIVE')
      .map(({ shortCode, codeKey, type, data, access, passwordHash }) => ({
        shortCode,
        domain: partsOfCodeKey(codeKey).domain,
        type,
        data: JSON.parse(data),
        access: access === null ? null : JSON.parse(access),
        hasPassword: passwordHash !== null,
      }))
    read = rows.length
    after = rows.at(-1)?.id ?? after
  }
}

/**
 * Returns the paths that several codes on a host have, in lower case and without the slash at their
 * end.
 */
export async function pathsAlike(db: Database, hostname: string): Promise<Set<string>> {
  const prefix = `${hostname}/`
  const { rows } = await sql<{ path: string }>`/* catalogue.pathsAlike */
    select lower(rtrim(substr(canonical_code, ${prefix.length + 1}), '/')) as "path"
    from qr_codes
    where substr(canonical_code, 1, ${prefix.length}) = ${prefix}
    group by 1
    having count(*) > 1`.execute(db.kysely)
  return new Set(rows.map(({ path }) => path))
}

/** Returns those of these ids that codes of the organization have. */
export async function knownQrCodes(
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await db.kysely
    .selectFrom('qr_codes')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where(isOneOf(db, 'id', ids))
    .modifyEnd(tag('catalogue.knownQrCodes'))
    .execute()
  return new Set(rows.map(({ id }) => id))
}
