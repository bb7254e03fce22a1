import { problem } from '@everscan/contract/problems/problem.ts'
import type { AccountAction } from '@everscan/contract/resources/account-log.ts'
import type { DashboardLanguage } from '@everscan/contract/schema/dashboard-languages.ts'
import { inTransaction, type Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import { validationError } from '../../request-errors.ts'
import { recordAudit } from '../ledger/audit-log.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import {
  findInvitation,
  memberAlready,
  useInvitation,
  type FoundInvitation,
  type InvitationRow,
} from './invitations.ts'
import { addMember } from './members.ts'
import type { MemberRow } from '../rows/member-row.ts'
import type { AccountSource } from '../accounts/account-log.ts'
import { confirmEmail, takeOverAccount } from '../accounts/email-confirmation.ts'
import { hashNewPassword } from '../accounts/new-passwords.ts'
import { verifyPassword } from '../accounts/passwords.ts'
import { hasTwoFactor } from '../accounts/second-factors.ts'
import { createUser, findUserByEmail, type UserRow } from '../accounts/users.ts'

export type Acceptance = {
  token: string
  /**
   * The name of the account to create or to take over. Absent for the owner of an existing account.
   */
  name?: string | undefined
  /**
   * The password of the account, new or existing, or its next one if the account is taken over.
   * Absent if the account has none, or if the invited user is signed in.
   */
  password?: string | undefined
  /** The account of the caller's session. The invited account needs no other proof. */
  signedInUserId?: string | undefined
  /** Of mails to an account that is created or taken over. */
  language: DashboardLanguage | undefined
  /** The origin of the request. Its actor is the account of the invitation. */
  from: Omit<ChangeOrigin, 'actor'>
  source: AccountSource
  nowMs: number
  /** Called for a wrong password of an existing account, before the error is thrown. */
  onWrongPassword: (userId: string) => void
}

/** How an acceptance changed the account. */
type AccountChange = Extract<AccountAction, 'account.create' | 'account.take-over' | 'email.confirm'>

/**
 * Adds the invited account to the organization, and creates the account if it does not exist. The
 * mailed token also proves the address: see record 42. Among many calls with one token, one
 * succeeds. Returns undefined if no pending invitation has this token. Throws ApiError 400 for a
 * missing, wrong or unexpected name or password, and 409 CONFLICT if the account is a member
 * already.
 */
export async function acceptInvitation(
  db: Database,
  acceptance: Acceptance,
): Promise<
  { organizationId: string; member: MemberRow; accountChange: AccountChange | undefined } | undefined
> {
  const { token, name, password, from, nowMs } = acceptance
  const invitation = await findInvitation(db, token, nowMs)
  if (invitation === undefined) return undefined
  const known = await findUserByEmail(db, invitation.email)
  const isTakeOver = takesOver(invitation, known, acceptance)
  if (!isTakeOver) await checkPerson(acceptance, known)
  // Hashing runs before the transaction: it takes about 30 ms, during which SQLite could write
  // nothing else.
  const passwordHash =
    (known === undefined || isTakeOver) && password !== undefined
      ? await hashNewPassword(password, { email: invitation.email, name, path: 'password' })
      : undefined
  return inTransaction(db, async (tx) => {
    if (!(await useInvitation(tx, invitation, nowMs))) return undefined
    const { user, accountChange } = await settleAccount(tx, acceptance, { invitation, known, passwordHash })
    const member = await join(tx, invitation, { user, from, nowMs })
    return { organizationId: invitation.organizationId, member, accountChange }
  })
}

/**
 * Whether somebody who proved the address takes the account over, because nobody had proved it
 * before: anybody may have created the account and know its password.
 */
export function takesOver(
  { isMailed }: FoundInvitation,
  known: UserRow | undefined,
  { name, password }: Pick<Acceptance, 'name' | 'password'>,
): boolean {
  const isUnconfirmed = known !== undefined && known.emailConfirmedAtMs === null
  return isMailed && isUnconfirmed && name !== undefined && password !== undefined
}

/**
 * Creates, takes over or confirms the account, as far as the token proves its address. With a
 * second factor, the password alone does not prove that the account is the caller's.
 */
async function settleAccount(
  tx: Database,
  { name = '', signedInUserId, language, source, nowMs }: Acceptance,
  {
    invitation: { email, isMailed },
    known,
    passwordHash,
  }: { invitation: FoundInvitation; known: UserRow | undefined; passwordHash: string | undefined },
): Promise<{ user: UserRow; accountChange: AccountChange | undefined }> {
  if (known === undefined) {
    const user = await createUser(tx, {
      email,
      name,
      passwordHash,
      isConfirmed: isMailed,
      language,
      source,
      nowMs,
    })
    if (user === undefined) throw changedMeanwhile()
    return { user, accountChange: 'account.create' }
  }
  if (passwordHash !== undefined) {
    if (!(await takeOverAccount(tx, known.id, { name, passwordHash, language, source, nowMs })))
      throw changedMeanwhile()
    return { user: { ...known, name }, accountChange: 'account.take-over' }
  }
  const isOwner = known.id === signedInUserId || !(await hasTwoFactor(tx, known.id))
  const isConfirmed = isMailed && isOwner && (await confirmEmail(tx, known.id, { source, nowMs }))
  return { user: known, accountChange: isConfirmed ? 'email.confirm' : undefined }
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
  const required = problem(known === undefined ? 'requiredForNewAccount' : 'requiredForAccount')
  const details = wrong.map(({ path, expected }) => ({
    path,
    ...(expected ? required : problem('leftOutForAccount')),
  }))
  if (details.length > 0) throw validationError(details)
  if (known === undefined || typeof passwordHash !== 'string' || password === undefined) return
  if (await verifyPassword(password, passwordHash)) return
  onWrongPassword(known.id)
  throw validationError([{ path: 'password', ...problem('notPasswordOfAccount') }])
}

function changedMeanwhile(): ApiError {
  return new ApiError(409, 'CONFLICT', problem('accountChangedMeanwhile'))
}
