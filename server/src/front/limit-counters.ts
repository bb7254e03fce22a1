import type { Database } from '../db/database.ts'
import { addOwedAnswers, isLimitReached, returnLease, takeLease } from '../db/scans/scan-limits.ts'
import type { LimitCounters } from '../scan/access/scan-limits.ts'

/** A question to the thread that counts limits. */
export type LimitCall = { name: keyof LimitCounters; parameters: unknown[] }

/** Counters in a catalogue that is opened when the first code with a limit is scanned. */
export function limitCountersOf(open: () => Promise<Database>): LimitCounters {
  return {
    take: async (key, want) => takeLease(await open(), key, { want, nowMs: Date.now() }),
    isFull: async (key) => isLimitReached(await open(), key),
    giveBack: async (key, rest) => returnLease(await open(), key, rest),
    addOwed: async (key, answers) => addOwedAnswers(await open(), key, { answers, nowMs: Date.now() }),
  }
}
