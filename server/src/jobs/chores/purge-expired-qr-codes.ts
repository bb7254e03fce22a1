import { purgeExpiredQrCodes as purgeExpired } from '../../catalogue/codes/bin.ts'
import type { Chore } from '../start-jobs.ts'

/** Deletes the codes in the bin that can no longer be restored. */
export const purgeExpiredQrCodes: Chore = {
  name: 'purgeExpiredQrCodes',
  takesTurns: true,
  everyMs: 10 * 60_000,
  run: async (db, nowMs) => purgeExpired(db, nowMs),
}
