import { inTransaction, tag, type Database } from '../../db/database.ts'
import {
  addInstallationNote,
  readInstallation,
  setRestoredAt,
  updateInstallation,
} from '../../db/installation.ts'
import { ended, leases } from '../../db/lease.ts'
import { keysSince, revokeAgain, type KeysSince, type KnownKey } from './known-keys.ts'
import { recordForAll } from '../ledger/system-entries.ts'

/** How many keys of each kind a note names. */
const namedMax = 1_000

export type AfterOlderCatalogue = KeysSince & {
  /** The new epoch of the installation. */
  epoch: number
}

/**
 * Cleans up after an older copy of the catalogue was restored. Deletes all sessions, because some
 * were ended since. Revokes keys again that are known to be revoked. Cancels pending webhook
 * deliveries, which may have been sent before. Records the restore in the audit log of every
 * organization.
 */
export async function afterOlderCatalogue(
  db: Database,
  { known, nowMs }: { known: readonly KnownKey[]; nowMs: number },
): Promise<AfterOlderCatalogue> {
  return await inTransaction(db, async (tx) => {
    await tx.kysely.deleteFrom('sessions').modifyEnd(tag('catalogue.endAllSessions')).execute()
    await tx.kysely
      .updateTable('webhook_deliveries')
      .set({
        status: 'FAILED',
        error: 'not sent: an older copy of the catalogue was put back, and it may have been sent before',
        ...ended(leases.delivery),
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
    const keys = await keysSince(tx, known)
    await revokeAgain(tx, keys.revokedAgain, nowMs)
    if (Object.values(keys).some(({ length }) => length > 0)) {
      const detail = Object.fromEntries(
        Object.entries(keys).map(([kind, all]) => [kind, all.slice(0, namedMax)]),
      )
      await addInstallationNote(tx, { kind: 'keys-since', detail }, nowMs)
    }
    await recordForAll(tx, 'catalogue.restore', nowMs)
    const epoch = ((await readInstallation(tx))?.epoch ?? 0) + 1
    await updateInstallation(tx, { epoch })
    await setRestoredAt(tx, nowMs)
    return { epoch, ...keys }
  })
}
