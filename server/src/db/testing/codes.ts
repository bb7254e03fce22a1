import type { Database } from '../database.ts'

/** Inserts a code with only the rows that counters need. */
export async function insertCode(
  db: Database,
  organizationId: string,
  id: string,
  shortCode = id,
): Promise<void> {
  await db.kysely
    .insertInto('organizations')
    .values({ id: organizationId, name: 'Acme', slug: organizationId, created_at_ms: 1, updated_at_ms: 1 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const code = { canonical_code: shortCode.toUpperCase(), organization_id: organizationId }
  await db.kysely
    .insertInto('short_codes')
    .values({ ...code, short_code: shortCode, qr_code_id: id, created_at_ms: 1, deleted_at_ms: null })
    .execute()
  const content = {
    type: 'URL',
    name: 'x',
    name_search: 'x',
    data: '{}',
    style: '{}',
    metadata: '{}',
  } as const
  const rest = { folder_id: null, status: 'ACTIVE', picture_version: 1, picture_mask: 0, version: 1 } as const
  await db.kysely
    .insertInto('qr_codes')
    .values({ ...code, id, ...content, ...rest, created_at_ms: 1, updated_at_ms: 1 })
    .execute()
  await db.kysely
    .insertInto('scan_counters')
    .values({ organization_id: organizationId, qr_code_id: id, total_scans: 0, unique_scans: 0 })
    .execute()
}
