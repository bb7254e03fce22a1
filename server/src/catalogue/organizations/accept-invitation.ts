import { inTransaction, type Database } from '../../db/database.ts'
import { ApiError, type ProblemDetail } from '../../errors.ts'
import { recordAudit } from '../ledger/audit-log.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import { findInvitation, memberAlready, useInvitation, type InvitationRow } from './invitations.ts'
import { addMember } from './members.ts'
import type { MemberRow } from '../rows/member-row.ts'
import type { AccountSource } from '../accounts/account-log.ts'
import { hashNewPassword } from '../accounts/new-passwords.ts'
import { verifyPassword } from '../accounts/passwords.ts'
import { createUser, findUserByEmail, type UserRow } from '../accounts/users.ts'

export type Acceptance = {
  token: string
  /** The name of the account to create. Absent for an address that has an account. */
  name?: string | undefined
  /**
   * The password of the account, new or existing. Absent if the account has none, or if the invited
   * user is signed in.
   */
  password?: string | undefined
  /** The account of the caller's session. The invited account needs no other proof. */
  signedInUserId?: string | undefined
  /** The origin of the request. Its actor is the account of the invitation. */
  from: Omit<ChangeOrigin, 'actor'>
  source: AccountSource
  nowMs: number
  /** Called for a wrong password of an existing account, before the error is thrown. */
  onWrongPassword: (userId: string) => void
}

/**
 * Adds the invited account to the organization, and creates the account if it does not exist. Among
 * many calls with one token, one succeeds. Returns undefined if no pending invitation has this
 * token. Throws ApiError 400 for a missing, wrong or unexpected name or password, and 409 CONFLICT
 * if the account is a member already.
 */
export async function acceptInvitation(
  db: Database,
  acceptance: Acceptance,
): Promise<{ organizationId: string; member: MemberRow; isNewAccount: boolean } | undefined> {
  const { token, name, password, from, source, nowMs } = acceptance
  const invitation = await findInvitation(db, token, nowMs)
  if (invitation === undefined) return undefined
  const known = await findUserByEmail(db, invitation.email)
  await checkPerson(acceptance, known)
  // Hashing runs before the transaction: it takes about 30 ms, during which SQLite could write
  // nothing else.
  const passwordHash =
    known === undefined && password !== undefined
      ? await hashNewPassword(password, { email: invitation.email, name, path: 'password' })
      : undefined
  return inTransaction(db, async (tx) => {
    if (!(await useInvitation(tx, invitation, nowMs))) return undefined
    const { email, organizationId } = invitation
    const user = known ?? (await createUser(tx, { email, name: name ?? '', passwordHash, source, nowMs }))
    if (user === undefined)
      throw new ApiError(409, 'CONFLICT', 'An account with this e-mail address was just created. Try again.')
    const member = await join(tx, invitation, { user, from, nowMs })
    return { organizationId, member, isNewAccount: known === undefined }
  })
}

async function join(
  tx: Database,
  invitation: InvitationRow,
  { user, from, nowMs }: { user: UserRow; from: Acceptance['from']; nowMs: number },
): Promise<MemberRow> {
  const { organizationId, role } = invitation
  const origin: ChangeOrigin = { ...from, actor: { kind: 'user', id: user.id, name: user.name } }
  await recordAudit(tx, organizationId, [
    { action: 'invitation.accept', target: { id: invitation.id, name: invitation.email }, origin, nowMs },
  ])
  const member = await addMember(tx, { organizationId, user }, { role, origin, nowMs })
  if (member === undefined) throw memberAlready()
  return member
}

/**
 * Throws ApiError 400 for missing and for unexpected fields: a name for an existing account would
 * seem to be its new name. The caller must prove ownership of the account. Otherwise an attacker
 * could create an account with another person's address, through an invitation from the attacker's
 * own organization, and would gain access wherever that person accepts an invitation.
 */
async function checkPerson(
  { name, password, signedInUserId, onWrongPassword }: Acceptance,
  known: UserRow | undefined,
): Promise<void> {
  const passwordHash = known?.passwordHash
  if (known !== undefined && known.id === signedInUserId && name === undefined && password === undefined)
    return
  const wrong = [
    { path: 'name', given: name !== undefined, expected: known === undefined },
    { path: 'password', given: password !== undefined, expected: passwordHash !== null },
  ].filter(({ given, expected }) => given !== expected)
  const has = known === undefined ? 'no account' : 'an account already'
  const details = wrong.map(({ path, expected }) => {
    const must = expected ? 'is required' : 'must be left out'
    return { path, message: `${must}, as this e-mail address has ${has}` }
  })
  if (details.length > 0) throw invalid(details)
  if (known === undefined || typeof passwordHash !== 'string' || password === undefined) return
  if (await verifyPassword(password, passwordHash)) return
  onWrongPassword(known.id)
  throw invalid([
    { path: 'password', message: 'is not the password of the account with this e-mail address' },
  ])
}

function invalid(details: readonly ProblemDetail[]): ApiError {
  const message = details.map((detail) => `${detail.path}: ${detail.message}`).join('; ')
  return new ApiError(400, 'VALIDATION_ERROR', message, { details })
}
