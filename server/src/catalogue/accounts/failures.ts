import type { AccountAction } from '@everscan/contract/resources/account-log.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { inTransaction, tag, type Database } from '../../db/database.ts'
import { isOneOf } from '../../db/dialects/row-sets.ts'
import { insertEntry, type AccountSource } from './account-log.ts'
import { lockAccount } from './users.ts'

/** The actions whose entries are merged. */
const failureActions = [
  'sign-in.wrong-password',
  'sign-in.wrong-code',
  'sign-in.wrong-passkey',
  'sign-in.password-and-wrong-passkey',
  'confirmation.wrong-password',
  'confirmation.wrong-code',
  'confirmation.wrong-passkey',
] as const satisfies readonly AccountAction[]
export type FailureAction = (typeof failureActions)[number]

/** Failed attempts on one account, from one network, within one hour of the clock. */
export type AccountFailures = AccountSource & {
  userId: string
  action: FailureAction
  times: number
  firstAtMs: number
  lastAtMs: number
}

type HourRow = { id: string; action: AccountAction; network: string | null }

const hourMs = 3_600_000

/** The beginning of the hour of the clock, in UTC. */
export function hourOf(atMs: number): number {
  return Math.floor(atMs / hourMs) * hourMs
}

/**
 * Adds failed attempts to the logs of their accounts, in one transaction. Attempts of one hour,
 * action and network are one entry, and beyond `limits.accountLogNetworksPerHour` those of all
 * further networks are one entry without a network. Attempts on accounts that were deleted since
 * are dropped. The caller sorts them by account, because the accounts are locked one after another.
 */
export async function recordFailures(db: Database, failures: readonly AccountFailures[]): Promise<void> {
  await inTransaction(db, async (tx) => {
    for (const [userId, ofAccount] of Map.groupBy(failures, (one) => one.userId)) {
      await lockAccount(tx, userId)
      if (await isAccount(tx, userId)) for (const one of ofAccount) await mergeFailures(tx, one)
    }
  })
}

async function isAccount(tx: Database, userId: string): Promise<boolean> {
  const row = await tx.kysely
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .modifyEnd(tag('catalogue.isAccount'))
    .executeTakeFirst()
  return row !== undefined
}

async function mergeFailures(tx: Database, failures: AccountFailures): Promise<void> {
  const { userId, action, times, firstAtMs, lastAtMs } = failures
  const rows = await readHour(tx, userId, hourOf(firstAtMs))
  const isKnown = rows.some(({ network }) => network === failures.network)
  const networks = new Set(rows.map(({ network }) => network)).size
  const isOneTooMany = !isKnown && networks >= limits.accountLogNetworksPerHour
  const network = isOneTooMany ? null : failures.network
  const known = rows.find((row) => row.action === action && row.network === network)
  if (known === undefined) {
    const userAgent = isOneTooMany ? null : failures.userAgent
    const entry = { action, times, actor: null, network, userAgent }
    return insertEntry(tx, userId, { ...entry, createdAtMs: firstAtMs, lastAtMs })
  }
  await tx.kysely
    .updateTable('account_log')
    .set((row) => ({
      times: row('times', '+', times),
      last_at_ms: row
        .case()
        .when('last_at_ms', '<', lastAtMs)
        .then(lastAtMs)
        .else(row.ref('last_at_ms'))
        .end(),
    }))
    .where('user_id', '=', userId)
    .where('id', '=', known.id)
    .modifyEnd(tag('catalogue.mergeFailures'))
    .execute()
}

async function readHour(tx: Database, userId: string, fromMs: number): Promise<HourRow[]> {
  return tx.kysely
    .selectFrom('account_log')
    .select(['id', 'action', 'network'])
    .where('user_id', '=', userId)
    .where('last_at_ms', '>=', fromMs)
    .where('created_at_ms', '>=', fromMs)
    .where('created_at_ms', '<', fromMs + hourMs)
    .where(isOneOf(tx, 'action', failureActions))
    .modifyEnd(tag('catalogue.readHourOfFailures'))
    .execute()
}
