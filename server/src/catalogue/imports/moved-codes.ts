import { tag, type Database } from '../../db/database.ts'
import { insertRows, isOneOf } from '../../db/dialects/row-sets.ts'
import type { ImportKey } from '../rows/import-row.ts'

/** A code of a move that has not ended. `qrCodeId` is empty in a dry run, which makes none. */
export type MovedCode = { codeKey: string; qrCodeId: string }

const keysAtOnce = 1_000

/** Remembers codes of a move, in the transaction that makes them, until its visits have come. */
export async function saveMovedCodes(
  tx: Database,
  { organizationId, id }: ImportKey,
  codes: readonly MovedCode[],
): Promise<void> {
  const rows = codes.map(({ codeKey, qrCodeId }) => ({
    organization_id: organizationId,
    job_id: id,
    code_key: codeKey,
    qr_code_id: qrCodeId,
  }))
  await insertRows(tx, 'moved_codes', { rows })
}

/** Returns the ids of those codes that the move made, by their keys. */
export async function readMovedCodes(
  db: Database,
  { organizationId, id }: ImportKey,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (let from = 0; from < keys.length; from += keysAtOnce) {
    const rows = await db.kysely
      .selectFrom('moved_codes')
      .select(['code_key', 'qr_code_id'])
      .where('organization_id', '=', organizationId)
      .where('job_id', '=', id)
      .where(isOneOf(db, 'code_key', keys.slice(from, from + keysAtOnce)))
      .modifyEnd(tag('catalogue.readMovedCodes'))
      .execute()
    for (const row of rows) found.set(row.code_key, row.qr_code_id)
  }
  return found
}

/** Forgets the codes of a move that has ended. The codes themselves stay. */
export async function forgetMovedCodes(tx: Database, { organizationId, id }: ImportKey): Promise<void> {
  await tx.kysely
    .deleteFrom('moved_codes')
    .where('organization_id', '=', organizationId)
    .where('job_id', '=', id)
    .modifyEnd(tag('catalogue.forgetMovedCodes'))
    .execute()
}
