import { inTransaction, type Database } from '../../db/database.ts'
import { ApiError, type ProblemDetail } from '../../errors.ts'
import { recordAudit } from '../ledger/audit-log.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import { findInvitation, memberAlready, useInvitation, type InvitationRow } from './invitations.ts'
import { addMember } from './members.ts'
import type { MemberRow } from '../rows/member-row.ts'
import { hashPassword, verifyPassword } from '../accounts/passwords.ts'
import { createUser, findUserByEmail, type UserRow } from '../accounts/users.ts'

export type Acceptance = {
  token: string
  /** Of the account to make; absent for an address that has one. */
  name?: string | undefined
  /** Of the account, the one to make or the one there is; absent for one that has no password, or that is signed in. */
  password?: string | undefined
  /** Whose session asks: the account of the invitation needs no other proof. */
  signedInUserId?: string | undefined
  /** Where it comes from; who it is, is the account of the invitation. */
  from: Omit<ChangeOrigin, 'actor'>
  nowMs: number
}

/**
 * Makes the account of an invitation's address a member, and the account itself when there is none. Of many calls with one token one
 * succeeds. Undefined: no invitation waits under this token. Throws ApiError 400 when name or password are missing, wrong, or not
 * wanted, and 409 CONFLICT for who is a member already.
 */
export async function acceptInvitation(
  db: Database,
  acceptance: Acceptance,
): Promise<{ organizationId: string; member: MemberRow } | undefined> {
  const { token, name, password, from, nowMs } = acceptance
  const invitation = await findInvitation(db, token, nowMs)
  if (invitation === undefined) return undefined
  const known = await findUserByEmail(db, invitation.email)
  await checkPerson(acceptance, known)
  // Before the transaction: it takes some 30 ms, and nothing else can be written meanwhile on SQLite.
  const passwordHash =
    known === undefined && password !== undefined ? await hashPassword(password) : undefined
  return inTransaction(db, async (tx) => {
    if (!(await useInvitation(tx, invitation, nowMs))) return undefined
    const { email, organizationId } = invitation
    const user = known ?? (await createUser(tx, { email, name: name ?? '', passwordHash, nowMs }))
    if (user === undefined)
      throw new ApiError(409, 'CONFLICT', 'An account of this e-mail address was just made. Try again.')
    return { organizationId, member: await join(tx, invitation, { user, from, nowMs }) }
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
 * Throws ApiError 400 for what is missing, and for what is not wanted: a name that is given for an account that has one would seem to be the new
 * one. Who accepts for an account proves that it is theirs: otherwise whoever made an account of another's address, by an
 * invitation of their own, would come in wherever that other person is invited.
 */
async function checkPerson(
  { name, password, signedInUserId }: Acceptance,
  known: UserRow | undefined,
): Promise<void> {
  const passwordHash = known?.passwordHash
  if (known !== undefined && known.id === signedInUserId && name === undefined && password === undefined)
    return
  const wrong = [
    { path: 'name', given: name !== undefined, wanted: known === undefined },
    { path: 'password', given: password !== undefined, wanted: passwordHash !== null },
  ].filter(({ given, wanted }) => given !== wanted)
  const has = known === undefined ? 'no account' : 'an account already'
  const details = wrong.map(({ path, wanted }) => {
    const must = wanted ? 'is required' : 'must be left out'
    return { path, message: `${must}, as this e-mail address has ${has}` }
  })
  if (details.length > 0) throw invalid(details)
  if (typeof passwordHash !== 'string' || password === undefined) return
  if (!(await verifyPassword(password, passwordHash)))
    throw invalid([
      { path: 'password', message: 'is not the password of the account of this e-mail address' },
    ])
}

function invalid(details: readonly ProblemDetail[]): ApiError {
  const message = details.map((detail) => `${detail.path}: ${detail.message}`).join('; ')
  return new ApiError(400, 'VALIDATION_ERROR', message, { details })
}
