import type { QrCodeType } from '@everscan/contract/code-types/qr-code-data.ts'
import { tag, type Database } from '../../db/database.ts'
import { completeQrCodes, selectQrCodes } from './qr-code-rows.ts'
import type { QrCodeRow } from '../rows/qr-code-row.ts'

/** A style can have a picture of 700 kB in it, so this is what memory can hold of the largest. */
const codesPerPage = 100
const redirectsPerPage = 1_000

/**
 * All codes of an organization, oldest first, a page at a time, however many there are. What is made or changed meanwhile may be in or
 * not; no code is there twice. `changedOnly`: those that have older versions.
 */
export async function* eachQrCodePage(
  db: Database,
  organizationId: string,
  { changedOnly = false }: { changedOnly?: boolean } = {},
): AsyncGenerator<QrCodeRow[], void, undefined> {
  for (let after = '', read = codesPerPage; read === codesPerPage;) {
    const selected = await selectQrCodes(db, organizationId)
      .where('q.id', '>', after)
      // Said of both: PostgreSQL may merge them, and would begin each page with the first counter of all.
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

/** What a scan of a code needs. */
export type ActiveCode = { shortCode: string; type: QrCodeType; data: Record<string, unknown> }

/** The codes of an organization that are ACTIVE, oldest first, a page at a time. */
export async function* eachActivePage(
  db: Database,
  organizationId: string,
): AsyncGenerator<ActiveCode[], void, undefined> {
  for (let after = '', read = redirectsPerPage; read === redirectsPerPage;) {
    const rows = await db.kysely
      .selectFrom('qr_codes as q')
      .innerJoin('short_codes as s', 's.canonical_code', 'q.canonical_code')
      .select(['q.id', 's.short_code as shortCode', 'q.type', 'q.status', 'q.data'])
      .where('q.organization_id', '=', organizationId)
      .where('q.id', '>', after)
      .orderBy('q.id')
      .limit(redirectsPerPage)
      .modifyEnd(tag('catalogue.eachActivePage'))
      .execute()
    yield rows
      .filter(({ status }) => status === 'ACTIVE')
      .map(({ shortCode, type, data }) => ({ shortCode, type, data: JSON.parse(data) }))
    read = rows.length
    after = rows.at(-1)?.id ?? after
  }
}
