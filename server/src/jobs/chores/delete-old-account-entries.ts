import { limits } from '@everscan/contract/schema/limits.ts'
import { deleteOldAccountEntries as deleteOlder } from '../../catalogue/accounts/account-log.ts'
import type { Chore } from '../start-jobs.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Deletes what happened to accounts longer ago than their logs promise. */
export const deleteOldAccountEntries: Chore = {
  name: 'deleteOldAccountEntries',
  takesTurns: true,
  everyMs: hourMs,
  run: async (db, nowMs) => deleteOlder(db, nowMs - limits.accountLogDays * dayMs),
}
