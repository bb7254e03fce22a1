import { idempotencyHours } from '@everscan/contract/schema/headers.ts'
import { forgetIdempotencyKeys } from '../../catalogue/ledger/idempotency-keys.ts'
import type { Chore } from '../start-jobs.ts'

const hourMs = 3_600_000

/** Deletes answers that no repetition of a request gets any more. */
export const deleteExpiredIdempotencyKeys: Chore = {
  name: 'deleteExpiredIdempotencyKeys',
  takesTurns: true,
  everyMs: hourMs,
  run: async (db, nowMs) => forgetIdempotencyKeys(db, nowMs - idempotencyHours * hourMs),
}
