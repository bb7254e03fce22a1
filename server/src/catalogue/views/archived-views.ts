import type { Database } from '../../db/database.ts'
import { insertRows } from '../../db/dialects/row-sets.ts'
import type { ViewMailRow, ViewRow } from './view-rows.ts'

export type ArchivedView = Omit<ViewRow, 'share' | 'mail'> & {
  mail: Pick<ViewMailRow, 'to' | 'every' | 'setUpBy' | 'senderId' | 'language' | 'nextAtMs'> | null
}

/** Inserts views of an archive, without public links. They keep their ids and times. */
export async function insertArchivedViews(tx: Database, rows: readonly ArchivedView[]): Promise<void> {
  await insertRows(tx, 'views', {
    rows: rows.map((row) => ({
      organization_id: row.organizationId,
      id: row.id,
      name: row.name,
      query: JSON.stringify(row.query),
      share_hash: null,
      share_token: null,
      share_password: null,
      share_expires_at_ms: null,
      share_created_at_ms: null,
      mail_to: row.mail === null ? null : JSON.stringify(row.mail.to),
      mail_every: row.mail?.every ?? null,
      mail_by: row.mail?.setUpBy ?? null,
      mail_sender_id: row.mail?.senderId ?? null,
      mail_language: row.mail?.language ?? null,
      mail_next_at_ms: row.mail?.nextAtMs ?? null,
      mail_due_at_ms: row.mail?.nextAtMs ?? null,
      mail_left: null,
      mail_last_sent_at_ms: null,
      mail_last_error: null,
      created_at_ms: row.createdAtMs,
      updated_at_ms: row.updatedAtMs,
    })),
  })
}
