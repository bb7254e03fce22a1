import { inTransaction, tag, type Database } from '../db/database.ts'
import { readInstallation, updateInstallation } from '../db/installation.ts'

/**
 * What follows when an older copy of the catalogue was put back: sessions end, as some of them were ended since, and nothing that
 * waited for a webhook is sent a second time. Gives the new epoch of the installation.
 */
export async function afterOlderCatalogue(db: Database, nowMs: number): Promise<number> {
  return await inTransaction(db, async (tx) => {
    await tx.kysely.deleteFrom('sessions').modifyEnd(tag('catalogue.endAllSessions')).execute()
    await tx.kysely
      .updateTable('webhook_deliveries')
      .set({
        status: 'FAILED',
        error: 'not sent: an older copy of the catalogue was put back, and it may have been sent before',
        lease_until_ms: null,
        completed_at_ms: nowMs,
      })
      .where('status', '=', 'PENDING')
      .modifyEnd(tag('catalogue.failOldDeliveries'))
      .execute()
    await tx.kysely
      .updateTable('event_pages')
      .set({ fanned_out: 1 })
      .where('fanned_out', '=', 0)
      .modifyEnd(tag('catalogue.passOldEvents'))
      .execute()
    const epoch = ((await readInstallation(tx))?.epoch ?? 0) + 1
    await updateInstallation(tx, { epoch })
    return epoch
  })
}
