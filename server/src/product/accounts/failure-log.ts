import { limits } from '@everscan/contract/schema/limits.ts'
import {
  hourOf,
  recordFailures,
  type AccountFailures,
  type FailureAction,
} from '../../catalogue/accounts/failures.ts'
import type { AccountSource } from '../../catalogue/accounts/account-log.ts'
import type { Database } from '../../db/database.ts'

/** How often `api` writes the failures. */
export const failuresFlushMs = 10_000

/** Each failure has cost a check of a password, so one interval never has as many accounts. */
const accountsMax = 5_000
/** One transaction must stay short: SQLite has a single writer. */
const accountsAtOnceMax = 50
/** Failures of one account from further networks are one. */
const entriesPerAccountMax = 2 * limits.accountLogNetworksPerHour

export type FailureNotes = {
  note: (userId: string, failure: { action: FailureAction; source: AccountSource; nowMs: number }) => void
  /** Writes what was noted. */
  flush: (db: Database) => Promise<void>
}

/**
 * Gathers failed attempts in memory until the next `flush` writes them to the logs of their
 * accounts. A flood therefore costs a few writes per account and interval, and noting a failure
 * takes no time that could tell whether an account exists. A crash loses the last interval.
 */
export class FailureLog implements FailureNotes {
  #accounts = new Map<string, Map<string, AccountFailures>>()
  #flushing: Promise<void> = Promise.resolve()

  note(
    userId: string,
    { action, source, nowMs }: { action: FailureAction; source: AccountSource; nowMs: number },
  ): void {
    this.#add({ userId, action, ...source, times: 1, firstAtMs: nowMs, lastAtMs: nowMs })
  }

  /** Writes what was noted. If the catalogue is away, the failures stay for the next time. */
  async flush(db: Database): Promise<void> {
    this.#flushing = this.#flushing.then(async () => this.#write(db))
    return this.#flushing
  }

  async #write(db: Database): Promise<void> {
    // In one order everywhere, so that two processes cannot each wait for the other's lock.
    const noted = [...this.#accounts].sort(([a], [b]) => (a < b ? -1 : 1))
    this.#accounts = new Map()
    for (let from = 0; from < noted.length; from += accountsAtOnceMax) {
      const part = noted.slice(from, from + accountsAtOnceMax).flatMap(([, entries]) => [...entries.values()])
      try {
        await recordFailures(db, part)
      } catch (error) {
        db.log.warn({ err: error }, 'could not write failed attempts to the logs of accounts, will try again')
        for (const failures of part) this.#add(failures)
      }
    }
  }

  #add(failures: AccountFailures): void {
    const { userId, action, network, times, firstAtMs, lastAtMs } = failures
    const entries = this.#accounts.get(userId) ?? new Map<string, AccountFailures>()
    if (entries.size === 0 && this.#accounts.size >= accountsMax) return
    this.#accounts.set(userId, entries)
    const keyOf = (of: string | null) => `${action} ${hourOf(firstAtMs)} ${of}`
    const isFull = entries.size >= entriesPerAccountMax && !entries.has(keyOf(network))
    const key = keyOf(isFull ? null : network)
    const known = entries.get(key)
    if (known === undefined)
      entries.set(key, isFull ? { ...failures, network: null, userAgent: null } : failures)
    else
      entries.set(key, { ...known, times: known.times + times, lastAtMs: Math.max(known.lastAtMs, lastAtMs) })
  }
}
