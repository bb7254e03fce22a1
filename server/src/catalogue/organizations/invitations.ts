import { problem } from '@everscan/contract/problems/problem.ts'
import type { Actor } from '@everscan/contract/resources/actors.ts'
import type { Role } from '@everscan/contract/schema/common.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { inTransaction, lockName, tag, type Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import { createId } from '../../ids.ts'
import { recordAudit } from '../ledger/audit-log.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import { createToken, hashOfToken } from '../accounts/tokens.ts'
import { normalEmail } from '../accounts/users.ts'

/** An invitation without its token, which is not stored. */
export type InvitationRow = {
  organizationId: string
  id: string
  email: string
  role: Role
  invitedBy: Actor
  createdAtMs: number
  expiresAtMs: number
  acceptedAtMs: number | null
}

/** The tokens of an invitation, which cannot be read again. */
export type InvitationTokens = {
  /** For the caller, who may not be the invited person. */
  token: string
  /** Only for the mail: whoever has it receives mails at the address. */
  mailToken: string
}

export type InvitationKey = { organizationId: string; id: string }

type Change = { origin: ChangeOrigin; nowMs: number }

const columns = [
  'organization_id as organizationId',
  'id',
  'email',
  'role',
  'invited_by as invitedBy',
  'created_at_ms as createdAtMs',
  'expires_at_ms as expiresAtMs',
  'accepted_at_ms as acceptedAtMs',
] as const

/**
 * Invites an e-mail address and returns its tokens, each of which accepts it. Replaces a pending
 * invitation of the same address. Throws ApiError 409 CONFLICT for the address of a member.
 */
export async function createInvitation(
  db: Database,
  organizationId: string,
  { email: given, role, origin, nowMs }: Change & { email: string; role: Role },
): Promise<InvitationTokens & { invitation: InvitationRow }> {
  const [token, mailToken] = [createToken(), createToken()]
  const email = normalEmail(given)
  return inTransaction(db, async (tx) => {
    await lockName(tx, `invitations ${organizationId}`)
    await requireNoMember(tx, organizationId, email)
    const replaced = await tx.kysely
      .deleteFrom('invitations')
      .where('organization_id', '=', organizationId)
      .where('email', '=', email)
      .where('accepted_at_ms', 'is', null)
      .returning(columns)
      .execute()
    const made = await tx.kysely
      .insertInto('invitations')
      .values({
        organization_id: organizationId,
        id: createId('inv'),
        email,
        role,
        token_hash: hashOfToken(token),
        mail_token_hash: hashOfToken(mailToken),
        invited_by: JSON.stringify(origin.actor),
        created_at_ms: nowMs,
        expires_at_ms: nowMs + limits.invitationDays * 86_400_000,
        accepted_at_ms: null,
      })
      .returning(columns)
      .executeTakeFirstOrThrow()
    await recordAudit(tx, organizationId, [
      ...replaced.map(
        (one) => ({ action: 'invitation.revoke', target: targetOf(one), origin, nowMs }) as const,
      ),
      { action: 'invitation.create', target: targetOf(made), origin, nowMs },
    ])
    return { invitation: invitationRow(made), token, mailToken }
  })
}

/**
 * Returns a page of an organization's invitations, newest first, including accepted and expired
 * ones.
 */
export async function listInvitations(
  db: Database,
  organizationId: string,
  { page, limit }: { page: number; limit: number },
): Promise<{ rows: InvitationRow[]; total: number }> {
  const invitations = db.kysely.selectFrom('invitations').where('organization_id', '=', organizationId)
  const rows = await invitations
    .select(columns)
    .orderBy('created_at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .modifyEnd(tag('catalogue.listInvitations'))
    .execute()
  const { total } = await invitations
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { rows: rows.map(invitationRow), total }
}

/**
 * Revokes an invitation, or returns undefined if it does not exist. Throws ApiError 409 CONFLICT
 * for an accepted invitation.
 */
export async function revokeInvitation(
  db: Database,
  { organizationId, id }: InvitationKey,
  { origin, nowMs }: Change,
): Promise<InvitationRow | undefined> {
  return inTransaction(db, async (tx) => {
    const revoked = await tx.kysely
      .deleteFrom('invitations')
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .where('accepted_at_ms', 'is', null)
      .returning(columns)
      .modifyEnd(tag('catalogue.revokeInvitation'))
      .executeTakeFirst()
    if (revoked === undefined) {
      const accepted = await tx.kysely
        .selectFrom('invitations')
        .select('id')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .executeTakeFirst()
      if (accepted === undefined) return undefined
      throw new ApiError(409, 'CONFLICT', problem('invitationAccepted'))
    }
    await recordAudit(tx, organizationId, [
      { action: 'invitation.revoke', target: targetOf(revoked), origin, nowMs },
    ])
    return invitationRow(revoked)
  })
}

/** An invitation that was found by one of its tokens. */
export type FoundInvitation = InvitationRow & {
  /** Whether the token is the mailed one, which proves the e-mail address. */
  isMailed: boolean
}

/**
 * Returns the pending invitation of a token. Returns undefined if it does not exist, has expired or
 * was accepted.
 */
export async function findInvitation(
  db: Database,
  token: string,
  nowMs: number,
): Promise<FoundInvitation | undefined> {
  const hash = hashOfToken(token)
  const row = await db.kysely
    .selectFrom('invitations')
    .select(columns)
    .select('mail_token_hash as mailTokenHash')
    .where((where) => where.or([where('token_hash', '=', hash), where('mail_token_hash', '=', hash)]))
    .where('accepted_at_ms', 'is', null)
    .where('expires_at_ms', '>', nowMs)
    .modifyEnd(tag('catalogue.findInvitation'))
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { mailTokenHash, ...invitation } = row
  return { ...invitationRow(invitation), isMailed: mailTokenHash === hash }
}

/** Marks an invitation as accepted. Returns false if it was accepted or revoked in the meantime. */
export async function useInvitation(
  tx: Database,
  { organizationId, id }: InvitationKey,
  nowMs: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.kysely
    .updateTable('invitations')
    .set({ accepted_at_ms: nowMs })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('accepted_at_ms', 'is', null)
    .modifyEnd(tag('catalogue.useInvitation'))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The error for the address of an existing member. */
export function memberAlready(): ApiError {
  return new ApiError(409, 'CONFLICT', problem('memberAlready'))
}

async function requireNoMember(tx: Database, organizationId: string, email: string): Promise<void> {
  const member = await tx.kysely
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select('users.id')
    .where('members.organization_id', '=', organizationId)
    .where('users.email', '=', email)
    .executeTakeFirst()
  if (member !== undefined) throw memberAlready()
}

function targetOf({ id, email }: { id: string; email: string }) {
  return { id, name: email }
}

function invitationRow({
  invitedBy,
  ...row
}: Omit<InvitationRow, 'invitedBy'> & { invitedBy: string }): InvitationRow {
  return { ...row, invitedBy: JSON.parse(invitedBy) }
}
