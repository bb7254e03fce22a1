import { readQrCodes, updateQrCodes } from '../../catalogue/codes/batches.ts'
import { listQrCodes } from '../../catalogue/codes/qr-code-lists.ts'
import type { DomainKey } from '../../catalogue/domains/domains.ts'
import type { ChangeOrigin } from '../../catalogue/rows/change-origins.ts'
import type { Database } from '../../db/database.ts'

/** Codes that one transaction archives. */
const codesAtOnce = 500

/** Archives all codes on a domain, in several transactions. */
export async function archiveCodesOn(
  db: Database,
  { organizationId, id }: DomainKey,
  { origin, nowMs }: { origin: ChangeOrigin; nowMs: number },
): Promise<void> {
  for (;;) {
    const query = { domainId: id, status: 'ACTIVE', page: 1, limit: codesAtOnce } as const
    const { rows } = await listQrCodes(db, organizationId, query)
    if (rows.length === 0) return
    const ids = rows.map((row) => row.id)
    const before = await readQrCodes(db, organizationId, ids)
    const changes = [...before.values()].map((row) => ({
      before: row,
      changes: { status: 'ARCHIVED' as const },
    }))
    await updateQrCodes(db, organizationId, { changes, origin, nowMs })
  }
}
