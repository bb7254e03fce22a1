import { idempotencyHours } from '@everscan/contract/schema/headers.ts'
import { forgetIdempotencyKeys } from '../catalogue/ledger/idempotency-keys.ts'
import type { Chore } from './start-jobs.ts'

const hourMs = 3_600_000

/** Answers that no repeat gets any more. */
export const forgetOldAnswers: Chore = {
  name: 'forgetOldAnswers',
  everyMs: hourMs,
  run: async (db, nowMs) => forgetIdempotencyKeys(db, nowMs - idempotencyHours * hourMs),
}
