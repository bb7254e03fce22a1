import type { Role } from '@everscan/contract/schema/common.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { sql, type SqlBool } from 'kysely'
import { inTransaction, tag, type Database } from '../../db/database.ts'
import { isOneOf } from '../../db/dialects/row-sets.ts'
import { createId } from '../../ids.ts'
import { recordAccountEntry, type AccountSource } from './account-log.ts'
import { isNoteDue } from './noted-uses.ts'
import { accountHasTwoFactor } from './second-factors.ts'
import { createToken, hashOfToken } from './tokens.ts'
import { lockAccount } from './users.ts'

/** A session without its token, which is not stored. */
export type SessionRow = {
  id: string
  userId: string
  userAgent: string | null
  createdAtMs: number
  lastUsedAtMs: number
  expiresAtMs: number
  /** When the session last showed a second factor; null if never. */
  confirmedAtMs: number | null
}

/** The account of a request, and its session. */
export type OwnSession = { userId: string; sessionId: string }

/** A live session with the name of its user and the user's role in an organization. */
export type FoundSession = {
  session: SessionRow
  userName: string
  /** Undefined if the user is not a member. */
  role: Role | undefined
  /** Whether the organization demands two-factor sign-in, which the account does not have. */
  needsTwoFactor: boolean
}

/** Whether the member of a query lacks the second factor that the organization demands. */
const lacksTwoFactor = sql<SqlBool>`(
  organizations.two_factor_required = 1 and not ${accountHasTwoFactor('sessions.user_id')}
)`

const dayMs = 86_400_000
const tokenForm = /^[\w-]{43}$/
const columns = [
  'sessions.id',
  'sessions.user_id as userId',
  'sessions.user_agent as userAgent',
  'sessions.created_at_ms as createdAtMs',
  'sessions.last_used_at_ms as lastUsedAtMs',
  'sessions.expires_at_ms as expiresAtMs',
  'sessions.confirmed_at_ms as confirmedAtMs',
] as const

type NewSessionOptions = {
  userAgent: string | null
  /** When its owner last showed a second factor; by default never. */
  confirmedAtMs?: number | null
  nowMs: number
}

/**
 * Creates a session and returns its token, which cannot be read again. An account that reaches
 * `limits.sessionsMax` loses its least recently used session.
 */
export async function createSession(
  db: Database,
  userId: string,
  { userAgent, confirmedAtMs = null, nowMs }: NewSessionOptions,
): Promise<{ session: SessionRow; token: string }> {
  const token = createToken()
  return inTransaction(db, async (tx) => {
    await lockAccount(tx, userId)
    await makeRoom(tx, userId, nowMs)
    const session = await tx.kysely
      .insertInto('sessions')
      .values({
        id: createId('ses'),
        user_id: userId,
        token_hash: hashOfToken(token),
        user_agent: userAgent,
        created_at_ms: nowMs,
        last_used_at_ms: nowMs,
        expires_at_ms: nowMs + limits.sessionDays * dayMs,
        confirmed_at_ms: confirmedAtMs,
      })
      .returning(columns)
      .executeTakeFirstOrThrow()
    return { session, token }
  })
}

/**
 * Returns the live session of a token, or undefined. With an organization, also returns the role of
 * the user there. Records the use in the background, at most once a minute. A malformed token never
 * reaches the database.
 */
export async function findSession(
  db: Database,
  token: string,
  { organizationId = '', nowMs }: { organizationId?: string | undefined; nowMs: number },
): Promise<FoundSession | undefined> {
  if (!tokenForm.test(token)) return undefined
  const row = await selectLiving(db, nowMs)
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('members', (join) =>
      join
        .onRef('members.user_id', '=', 'sessions.user_id')
        .on('members.organization_id', '=', organizationId),
    )
    .leftJoin('organizations', 'organizations.id', 'members.organization_id')
    .select(columns)
    .select(['users.name as userName', 'members.role'])
    .select(lacksTwoFactor.as('needsTwoFactor'))
    .where('sessions.token_hash', '=', hashOfToken(token))
    .modifyEnd(tag('catalogue.findSession'))
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { userName, role, needsTwoFactor, ...session } = row
  recordLastUsed(db, session, nowMs)
  return { session, userName, role: role ?? undefined, needsTwoFactor: Boolean(needsTwoFactor) }
}

/**
 * Returns the sessions that are live, each once per listed organization in which its user may act
 * as a member.
 */
export async function memberSessions(
  db: Database,
  sessions: readonly { organizationId: string; id: string }[],
  nowMs: number,
): Promise<{ organizationId: string; id: string }[]> {
  const organizationIds = [...new Set(sessions.map(({ organizationId }) => organizationId))]
  const ids = [...new Set(sessions.map(({ id }) => id))]
  return selectLiving(db, nowMs)
    .innerJoin('members', 'members.user_id', 'sessions.user_id')
    .innerJoin('organizations', 'organizations.id', 'members.organization_id')
    .select(['members.organization_id as organizationId', 'sessions.id'])
    .where((where) => where.not(lacksTwoFactor))
    .where(isOneOf(db, 'members.organization_id', organizationIds))
    .where(isOneOf(db, 'sessions.id', ids))
    .modifyEnd(tag('catalogue.memberSessions'))
    .execute()
}

/** Returns a page of an account's live sessions, newest first, and the total. */
export async function listSessions(
  db: Database,
  userId: string,
  { page, limit, nowMs }: { page: number; limit: number; nowMs: number },
): Promise<{ rows: SessionRow[]; total: number }> {
  const sessions = selectLiving(db, nowMs).where('user_id', '=', userId)
  const rows = await sessions
    .select(columns)
    .orderBy('created_at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .modifyEnd(tag('catalogue.listSessions'))
    .execute()
  const { total } = await sessions
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { rows, total }
}

/** The owner's request, for the log of the account. */
type OwnerRequest = { source: AccountSource; nowMs: number }

/** Ends a session of an account. Returns false if the account has no such session. */
export async function endSession(
  db: Database,
  { userId, id }: { userId: string; id: string },
  { source, nowMs }: OwnerRequest,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const { numDeletedRows } = await tx.kysely
      .deleteFrom('sessions')
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .modifyEnd(tag('catalogue.endSession'))
      .executeTakeFirst()
    if (numDeletedRows === 0n) return false
    await recordAccountEntry(tx, userId, { action: 'session.end', source, nowMs })
    return true
  })
}

/** Ends all sessions of an account except the one of the request. Returns how many were ended. */
export async function endOtherSessions(
  db: Database,
  { userId, sessionId }: OwnSession,
  { source, nowMs }: OwnerRequest,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const ended = await endSessionsOf(tx, userId, sessionId)
    if (ended > 0) await recordAccountEntry(tx, userId, { action: 'session.end-others', source, nowMs })
    return ended
  })
}

/** Ends the session of a token, if it exists. */
export async function endSessionOfToken(db: Database, token: string): Promise<void> {
  if (!tokenForm.test(token)) return
  await db.kysely
    .deleteFrom('sessions')
    .where('token_hash', '=', hashOfToken(token))
    .modifyEnd(tag('catalogue.endSessionOfToken'))
    .execute()
}

/**
 * Whether a session of an account still exists, in the transaction of a change that must not happen
 * after the end of the session: the caller was admitted before its request was received.
 */
export async function isSessionLeft(tx: Database, { userId, sessionId }: OwnSession): Promise<boolean> {
  const session = await tx.kysely
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '=', sessionId)
    .modifyEnd(tag('catalogue.isSessionLeft'))
    .executeTakeFirst()
  return session !== undefined
}

/** Ends all sessions of an account except `exceptId`. Returns how many were ended. */
export async function endSessionsOf(tx: Database, userId: string, exceptId = ''): Promise<number> {
  const { numDeletedRows } = await tx.kysely
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '<>', exceptId)
    .modifyEnd(tag('catalogue.endSessionsOf'))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Records that the owner of a session has just shown a second factor in it. */
export async function noteConfirmation(
  tx: Database,
  { userId, sessionId }: OwnSession,
  nowMs: number,
): Promise<void> {
  await tx.kysely
    .updateTable('sessions')
    .set({ confirmed_at_ms: nowMs })
    .where('user_id', '=', userId)
    .where('id', '=', sessionId)
    .modifyEnd(tag('catalogue.noteConfirmation'))
    .execute()
}

/**
 * Ends the confirmations of all other sessions of an account: they may be due to a second factor
 * that was removed because an intruder has it.
 */
export async function dropOtherConfirmations(tx: Database, { userId, sessionId }: OwnSession): Promise<void> {
  await tx.kysely
    .updateTable('sessions')
    .set({ confirmed_at_ms: null })
    .where('user_id', '=', userId)
    .where('id', '<>', sessionId)
    .modifyEnd(tag('catalogue.dropOtherConfirmations'))
    .execute()
}

function selectLiving(db: Database, nowMs: number) {
  return db.kysely
    .selectFrom('sessions')
    .where('sessions.expires_at_ms', '>', nowMs)
    .where('sessions.last_used_at_ms', '>', nowMs - limits.sessionIdleDays * dayMs)
}

/** Deletes ended sessions, and the least recently used sessions that would exceed the limit. */
async function makeRoom(tx: Database, userId: string, nowMs: number): Promise<void> {
  const recent = await selectLiving(tx, nowMs)
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('last_used_at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(limits.sessionsMax - 1)
    .execute()
  const ids = recent.map(({ id }) => id)
  await tx.kysely
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where((where) => where.not(isOneOf(tx, 'id', ids)))
    .modifyEnd(tag('catalogue.makeRoom'))
    .execute()
}

function recordLastUsed(db: Database, session: SessionRow, nowMs: number): void {
  if (!isNoteDue(db, session, nowMs)) return
  db.kysely
    .updateTable('sessions')
    .set({ last_used_at_ms: nowMs })
    .where('id', '=', session.id)
    .modifyEnd(tag('catalogue.noteSessionUse'))
    .execute()
    .catch((error: unknown) => db.log.debug({ err: error }, 'could not record the use of a session'))
}
