import { problem } from '@everscan/contract/problems/problem.ts'
import type { Role } from '@everscan/contract/schema/common.ts'
import { inTransaction, lockName, tag, type Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import { accountHasTwoFactor } from '../accounts/second-factors.ts'
import { recordAudit } from '../ledger/audit-log.ts'
import { revokeApiKeysOf } from './api-keys.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import { recordEvents } from '../ledger/events.ts'
import type { MemberRow } from '../rows/member-row.ts'

/** Identifies a member: an account in an organization. */
export type MemberKey = { organizationId: string; userId: string }

type Change = { origin: ChangeOrigin; nowMs: number }

export type ListedMember = MemberRow & { twoFactor: boolean }

/** Returns a page of an organization's members, newest first, and the total. */
export async function listMembers(
  db: Database,
  organizationId: string,
  { page, limit }: { page: number; limit: number },
): Promise<{ rows: ListedMember[]; total: number }> {
  const rows = await selectMembers(db, organizationId)
    .select(accountHasTwoFactor('members.user_id').as('twoFactor'))
    .orderBy('members.created_at_ms', 'desc')
    .orderBy('members.user_id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .modifyEnd(tag('catalogue.listMembers'))
    .execute()
  const { total } = await db.kysely
    .selectFrom('members')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return { rows: rows.map((row) => ({ ...row, twoFactor: Boolean(row.twoFactor) })), total }
}

/** Returns the member, or undefined if the organization has no such member. */
export async function readMember(
  db: Database,
  { organizationId, userId }: MemberKey,
): Promise<MemberRow | undefined> {
  return selectMembers(db, organizationId)
    .where('members.user_id', '=', userId)
    .modifyEnd(tag('catalogue.readMember'))
    .executeTakeFirst()
}

/**
 * Makes an account a member, in the transaction of the caller. Returns undefined and keeps the role
 * if it is a member already.
 */
export async function addMember(
  tx: Database,
  { organizationId, user }: { organizationId: string; user: { id: string; name: string } },
  { role, origin, nowMs }: Change & { role: Role },
): Promise<MemberRow | undefined> {
  const { numInsertedOrUpdatedRows } = await tx.kysely
    .insertInto('members')
    .values({ organization_id: organizationId, user_id: user.id, role, created_at_ms: nowMs })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 0n) return undefined
  await recordAudit(tx, organizationId, [{ action: 'member.join', target: user, origin, nowMs }])
  const member = await readMember(tx, { organizationId, userId: user.id })
  if (member === undefined) throw new Error(`${user.id} did not become a member`)
  await recordMemberEvent(tx, organizationId, { event: 'member.joined', atMs: nowMs, data: member })
  return member
}

/**
 * Changes the role of a member, or returns undefined if the member does not exist. Throws ApiError
 * 409 CONFLICT for the last ADMIN.
 */
export async function updateMember(
  db: Database,
  key: MemberKey,
  { role, origin, nowMs }: Change & { role: Role },
): Promise<MemberRow | undefined> {
  return inTransaction(db, async (tx) => {
    await lockMembers(tx, key.organizationId)
    const before = await readMember(tx, key)
    if (before === undefined || before.role === role) return before
    if (before.role === 'ADMIN') await requireOtherAdmin(tx, key)
    await tx.kysely
      .updateTable('members')
      .set({ role })
      .where('organization_id', '=', key.organizationId)
      .where('user_id', '=', key.userId)
      .modifyEnd(tag('catalogue.updateMember'))
      .execute()
    await recordAudit(tx, key.organizationId, [
      { action: 'member.update', target: before, fields: ['role'], origin, nowMs },
    ])
    const after = { ...before, role }
    await recordMemberEvent(tx, key.organizationId, {
      event: 'member.role_changed',
      atMs: nowMs,
      data: after,
    })
    return after
  })
}

/**
 * Removes a member from an organization and returns the removed row, or undefined if the member
 * does not exist. The account remains. Keys that it created there are revoked: a key never has a
 * higher role than its creator. Throws ApiError 409 CONFLICT for the last ADMIN.
 */
export async function removeMember(
  db: Database,
  key: MemberKey,
  { origin, nowMs }: Change,
): Promise<MemberRow | undefined> {
  return inTransaction(db, async (tx) => {
    await lockMembers(tx, key.organizationId)
    const before = await readMember(tx, key)
    if (before === undefined) return undefined
    if (before.role === 'ADMIN') await requireOtherAdmin(tx, key)
    await revokeApiKeysOf(tx, key, { origin, nowMs })
    await tx.kysely
      .deleteFrom('members')
      .where('organization_id', '=', key.organizationId)
      .where('user_id', '=', key.userId)
      .modifyEnd(tag('catalogue.removeMember'))
      .execute()
    await recordAudit(tx, key.organizationId, [{ action: 'member.remove', target: before, origin, nowMs }])
    await recordMemberEvent(tx, key.organizationId, { event: 'member.left', atMs: nowMs, data: before })
    return before
  })
}

/** Records an event, in the transaction of the change. */
export async function recordMemberEvent(
  tx: Database,
  organizationId: string,
  event: { event: 'member.joined' | 'member.left' | 'member.role_changed'; atMs: number; data: MemberRow },
): Promise<void> {
  await recordEvents(tx, organizationId, { events: () => [event], nowMs: event.atMs })
}

/**
 * Serializes changes to an organization's members: otherwise two ADMINs could each leave at the
 * same time.
 */
async function lockMembers(tx: Database, organizationId: string): Promise<void> {
  await lockName(tx, `members ${organizationId}`)
}

async function requireOtherAdmin(tx: Database, { organizationId, userId }: MemberKey): Promise<void> {
  const other = await tx.kysely
    .selectFrom('members')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'ADMIN')
    .where('user_id', '<>', userId)
    .limit(1)
    .executeTakeFirst()
  if (other !== undefined) return
  throw new ApiError(409, 'CONFLICT', problem('onlyAdmin'))
}

/** Returns the confirmed e-mail addresses of the ADMINs of an organization, in order. */
export async function readAdminAddresses(db: Database, organizationId: string): Promise<string[]> {
  const rows = await db.kysely
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select('users.email')
    .where('members.organization_id', '=', organizationId)
    .where('members.role', '=', 'ADMIN')
    .where('users.email_confirmed_at_ms', 'is not', null)
    .orderBy('users.email')
    .modifyEnd(tag('catalogue.readAdminAddresses'))
    .execute()
  return rows.map(({ email }) => email)
}

function selectMembers(db: Database, organizationId: string) {
  return db.kysely
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.id', 'users.email', 'users.name', 'members.role', 'members.created_at_ms as joinedAtMs'])
    .where('members.organization_id', '=', organizationId)
}
