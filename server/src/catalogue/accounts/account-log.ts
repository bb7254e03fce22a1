import {
  accountActionKinds,
  accountActions,
  type AccountAction,
} from '@everscan/contract/resources/account-log.ts'
import type { Actor } from '@everscan/contract/resources/actors.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { tag, type Database } from '../../db/database.ts'
import { isOneOf } from '../../db/dialects/row-sets.ts'
import { createId } from '../../ids.ts'

/** The origin of a request, as the log of an account stores it. */
export type AccountSource = {
  /** /24 or /48, never an address: `203.0.113.0/24`. */
  network: string | null
  /** At most `limits.userAgentCharsMax` characters. */
  userAgent: string | null
}

/** The source of a change that did not come from its owner: their network is not the owner's. */
export const noSource: AccountSource = { network: null, userAgent: null }

export type NewAccountEntry = {
  action: AccountAction
  /** The ADMIN or the operator, if the owner did not do it. */
  actor?: Actor | undefined
  source: AccountSource
  nowMs: number
  /** 1 by default. */
  times?: number
}

/** A stored entry. Failures of one hour from one network are one entry. */
export type AccountEntryRow = AccountSource & {
  id: string
  action: AccountAction
  times: number
  actor: Actor | null
  createdAtMs: number
  lastAtMs: number
}

/** The batch size: on SQLite, this deletion blocks all other writers. */
const deletedAtOnceMax = 1_000

/**
 * Adds an entry to the log of an account, in the transaction of what it records: neither is ever
 * stored without the other. The oldest entries of the same kind beyond
 * `limits.accountLogEntriesMax` are deleted.
 */
export async function recordAccountEntry(
  tx: Database,
  userId: string,
  { action, actor, source, nowMs, times = 1 }: NewAccountEntry,
): Promise<void> {
  if (!tx.kysely.isTransaction) throw new Error('an account entry belongs to the transaction of its change')
  await insertEntry(tx, userId, {
    action,
    times,
    actor: actor ?? null,
    ...source,
    createdAtMs: nowMs,
    lastAtMs: nowMs,
  })
}

/** Inserts an entry and deletes the oldest ones of its kind beyond the bound. */
export async function insertEntry(
  tx: Database,
  userId: string,
  entry: Omit<AccountEntryRow, 'id'>,
): Promise<void> {
  const { action, times, actor, network, userAgent, createdAtMs, lastAtMs } = entry
  await tx.kysely
    .insertInto('account_log')
    .values({
      user_id: userId,
      id: createId('acc'),
      action,
      times,
      actor: actor === null ? null : JSON.stringify(actor),
      network,
      user_agent: userAgent,
      created_at_ms: createdAtMs,
      last_at_ms: lastAtMs,
    })
    .modifyEnd(tag('catalogue.insertAccountEntry'))
    .execute()
  await deleteBeyondBound(tx, userId, action)
}

/** Returns a page of an account's log, newest first, and the total. */
export async function listAccountLog(
  db: Database,
  userId: string,
  { page, limit }: { page: number; limit: number },
): Promise<{ rows: AccountEntryRow[]; total: number }> {
  const entries = db.kysely.selectFrom('account_log').where('user_id', '=', userId)
  const rows = await entries
    .select(['id', 'action', 'times', 'actor', 'network', 'user_agent as userAgent'])
    .select(['created_at_ms as createdAtMs', 'last_at_ms as lastAtMs'])
    .orderBy('last_at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .modifyEnd(tag('catalogue.listAccountLog'))
    .execute()
  const { total } = await entries
    .select((select) => select.fn.countAll<number>().as('total'))
    .modifyEnd(tag('catalogue.countAccountLog'))
    .executeTakeFirstOrThrow()
  return {
    rows: rows.map(({ actor, ...row }) => ({
      ...row,
      actor: actor === null ? null : (JSON.parse(actor) as Actor),
    })),
    total,
  }
}

/** Deletes the entries of all accounts from before this time. Returns their number. */
export async function deleteOldAccountEntries(db: Database, beforeMs: number): Promise<number> {
  for (let deleted = 0; ;) {
    const { numDeletedRows } = await db.kysely
      .deleteFrom('account_log')
      .where('last_at_ms', '<', beforeMs)
      .where((where) =>
        where(
          where.refTuple('user_id', 'id'),
          'in',
          where
            .selectFrom('account_log')
            .select(['user_id', 'id'])
            .where('last_at_ms', '<', beforeMs)
            .orderBy('last_at_ms')
            .limit(deletedAtOnceMax)
            .$asTuple('user_id', 'id'),
        ),
      )
      .modifyEnd(tag('catalogue.deleteOldAccountEntries'))
      .executeTakeFirst()
    deleted += Number(numDeletedRows)
    if (numDeletedRows < BigInt(deletedAtOnceMax)) return deleted
  }
}

async function deleteBeyondBound(tx: Database, userId: string, action: AccountAction): Promise<void> {
  const kind = accountActionKinds[action]
  const sameKind = accountActions.filter((one) => accountActionKinds[one] === kind)
  await tx.kysely
    .deleteFrom('account_log')
    .where('user_id', '=', userId)
    .where('id', 'in', (where) =>
      where
        .selectFrom('account_log')
        .select('id')
        .where('user_id', '=', userId)
        .where(isOneOf(tx, 'action', sameKind))
        .orderBy('last_at_ms', 'desc')
        .orderBy('id', 'desc')
        .limit(deletedAtOnceMax)
        .offset(limits.accountLogEntriesMax[kind]),
    )
    .modifyEnd(tag('catalogue.deleteBeyondBound'))
    .execute()
}
