import { limits } from '@everscan/contract/schema/limits.ts'
import { deleteOldDeliveries } from '../../catalogue/webhooks/deliveries.ts'
import { deleteOldPages } from '../../db/feeds/event-pages.ts'
import type { Chore } from '../start-jobs.ts'

const hourMs = 3_600_000

/**
 * Deletes deliveries that are no longer shown, and events that no reader can request any more. It
 * deletes a thousand at a time, because on SQLite all other writers wait meanwhile.
 */
export const deleteExpiredEvents: Chore = {
  name: 'deleteExpiredEvents',
  takesTurns: true,
  everyMs: hourMs / 4,
  run: async (db, nowMs) => {
    const oldMs = nowMs - limits.webhookDeliveryDays * 24 * hourMs
    while ((await deleteOldDeliveries(db, oldMs)) > 0);
    while ((await deleteOldPages(db, nowMs)) > 0);
  },
}
