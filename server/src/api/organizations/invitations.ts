import { invitations } from '@everscan/contract/endpoints/organizations/invitations.ts'
import { problem } from '@everscan/contract/problems/problem.ts'
import type { Actor } from '@everscan/contract/resources/actors.ts'
import type {
  AcceptInvitation,
  CreatedInvitation,
  ReceivedInvitation,
} from '@everscan/contract/resources/invitations.ts'
import { type Invitation } from '@everscan/contract/resources/invitations.ts'
import { paginationOf } from '@everscan/contract/schema/pages.ts'
import { acceptInvitation, takesOver } from '../../catalogue/organizations/accept-invitation.ts'
import {
  createInvitation,
  findInvitation,
  listInvitations,
  revokeInvitation,
  type FoundInvitation,
  type InvitationRow,
} from '../../catalogue/organizations/invitations.ts'
import { readOrganization } from '../../catalogue/organizations/organizations.ts'
import { readLanguage } from '../../catalogue/accounts/languages.ts'
import { findSession } from '../../catalogue/accounts/sessions.ts'
import { signIn as beginSession } from '../../catalogue/accounts/sign-in.ts'
import { findUserByEmail } from '../../catalogue/accounts/users.ts'
import { domainOf } from '../../catalogue/mails/address-hash.ts'
import { refusesMails } from '../../catalogue/mails/consents.ts'
import { countMail, countRefusedMail, mailStop, nextMailDayMs } from '../../catalogue/mails/mail-counts.ts'
import { readSenderAddress } from '../../catalogue/mails/mail-senders.ts'
import { inTransaction, type Database } from '../../db/database.ts'
import { plainName } from '../../product/mails/plain-names.ts'
import type { MemberRow } from '../../catalogue/rows/member-row.ts'
import { ApiError } from '../../errors.ts'
import { appAddress } from '../../product/mails/app-addresses.ts'
import { Answer, handler, type EndpointInput } from '../http/handler.ts'
import type { ApiContext } from '../http/api-context.ts'
import { mailLanguage, wantedLanguage } from '../../product/mails/mail-languages.ts'
import { createMailToken, mailAnswerAddress } from '../../product/mails/mail-tokens.ts'
import type { Mailer } from '../../product/mails/mailer.ts'
import { invitationMail } from '../../product/mails/account-mails.ts'
import { memberRecord } from '../../product/records/member-records.ts'
import { accountSource, requestSource } from '../../product/accounts/request-sources.ts'
import { pageOf } from '../http/pages.ts'
import { notFound } from '../../request-errors.ts'
import { organizationRecord } from './own-organizations.ts'
import { sessionTokenOf } from '../http/session-cookies.ts'
import { reportFailure, reportOutcome } from '../../product/accounts/account-outcomes.ts'
import { sessionCookies } from '../accounts/sign-in.ts'
import { beginPasswordAttempt, type PasswordAttempt } from '../accounts/password-attempts.ts'
import { timestamp, timestampOrNull } from '../../product/records/timestamps.ts'

export const create = handler(invitations.create, {
  handle: async (context, { userId, origin }, request) => {
    const { db, config, clock } = context
    const { params, body } = request
    const { email, role = 'VIEWER' } = body
    await requireMailBudget(context, params.orgId, origin.actor.id)
    const draft = { email, role, origin, nowMs: clock() }
    const { invitation, token, mailToken } = await createInvitation(db, params.orgId, draft)
    const acceptUrl = appAddress(config.publicUrl, 'invitation', token)
    const mailUrl = appAddress(config.publicUrl, 'invitation', mailToken)
    const mailing = { invitation, senderId: origin.actor.id, inviterId: userId, url: mailUrl }
    const mailed = await mailInvitation(context, request, mailing)
    return { ...invitationRecord(invitation), acceptUrl, ...mailed }
  },
})

export const list = handler(invitations.list, {
  handle: async ({ db }, _caller, { params, query }) => {
    const page = pageOf(query)
    const { rows, total } = await listInvitations(db, params.orgId, page)
    return { data: rows.map(invitationRecord), pagination: paginationOf(total, page) }
  },
})

export const revoke = handler(invitations.revoke, {
  handle: async ({ db, clock }, { origin }, { params }) => {
    const key = { organizationId: params.orgId, id: params.id }
    const row = await revokeInvitation(db, key, { origin, nowMs: clock() })
    if (row === undefined) throw notFound()
    return { id: row.id, deleted: true as const }
  },
})

export const receive = handler(invitations.receive, {
  handle: async (context, _caller, { body, headers }) => {
    const { db, clock } = context
    const invitation = await findInvitation(db, body.token, clock())
    const organization = invitation && (await readOrganization(db, invitation.organizationId))
    if (invitation === undefined || organization === undefined) throw unknownToken()
    const { email, role, invitedBy, expiresAtMs } = invitation
    return {
      organization: plainName(organization.name),
      invitedBy: await shownName(db, invitedBy),
      email,
      role,
      expiresAt: timestamp(expiresAtMs),
      needs: await needsOf(invitation, { db, signedInUserId: await signedInUser(context, headers) }),
    }
  },
})

/** The name of an account may be its own address, which nobody can choose freely. */
async function shownName(db: Database, { id, name }: Actor): Promise<string> {
  const isOwnAddress = name.includes('@') && (await findUserByEmail(db, name))?.id === id
  return isOwnAddress ? name : plainName(name)
}

export const accept = handler(invitations.accept, {
  handle: async (context, _caller, request) => {
    const { db, clock } = context
    const { signIn = false, ...acceptance } = request.body
    const from = requestSource(request, 'dashboard')
    const signedInUserId = await signedInUser(context, request.headers)
    const attempt = await passwordAttempt(context, request)
    const accepted = await acceptInvitation(db, {
      ...acceptance,
      signedInUserId,
      from,
      source: accountSource(request),
      language: wantedLanguage(request),
      nowMs: clock(),
      onWrongPassword: (accountId) =>
        reportFailure(context, request, { accountId, action: 'sign-in.wrong-password' }),
    })
    await attempt?.succeed()
    const organization = accepted && (await readOrganization(db, accepted.organizationId))
    if (accepted === undefined || organization === undefined) throw unknownToken()
    const { member, accountChange: action } = accepted
    if (action !== undefined) reportOutcome(context, request, { accountId: member.id, action })
    const session = signIn ? await sessionAfter(context, request, { member, signedInUserId }) : undefined
    const answered = {
      organization: organizationRecord({ ...organization, role: member.role }),
      member: memberRecord(member),
      signedIn: session !== undefined,
    }
    return session?.cookies === undefined ? answered : new Answer(answered, { 'set-cookie': session.cookies })
  },
})

/**
 * Signs the new member in with the password that accepted the invitation. Returns undefined if the
 * account needs a second factor, and no cookies if the request has a session of it already.
 */
async function sessionAfter(
  context: ApiContext,
  request: EndpointInput<unknown, unknown, AcceptInvitation>,
  { member, signedInUserId }: { member: MemberRow; signedInUserId: string | undefined },
): Promise<{ cookies?: string[] } | undefined> {
  if (member.id === signedInUserId) return {}
  const { db, accounts, config, clock } = context
  const user = await findUserByEmail(db, member.email)
  // An account without a password was not proved to be the caller's.
  if (user === undefined || request.body.password === undefined) return undefined
  const replacedToken = sessionTokenOf(request.headers, config.publicUrl)
  const options = { replacedToken, source: accountSource(request), nowMs: clock() }
  const made = await beginSession(db, { box: accounts.twoFactorBox, user }, options)
  if (made === undefined || typeof made === 'string') return undefined
  reportOutcome(context, request, { accountId: user.id, action: made.action })
  return { cookies: sessionCookies(context, request, { made, owner: user }) }
}

/** The account of the session that a request has. */
async function signedInUser(
  { db, config, clock }: ApiContext,
  headers: EndpointInput['headers'],
): Promise<string | undefined> {
  const token = sessionTokenOf(headers, config.publicUrl)
  const found = token === undefined ? undefined : await findSession(db, token, { nowMs: clock() })
  return found?.session.userId
}

async function needsOf(
  { email, isMailed }: FoundInvitation,
  { db, signedInUserId }: { db: ApiContext['db']; signedInUserId: string | undefined },
): Promise<ReceivedInvitation['needs']> {
  const known = await findUserByEmail(db, email)
  if (known === undefined) return 'NAME_AND_PASSWORD'
  if (known.id === signedInUserId) return 'NOTHING'
  if (isMailed && known.emailConfirmedAtMs === null) return 'NAME_AND_PASSWORD'
  return known.passwordHash === null ? 'NOTHING' : 'PASSWORD'
}

function unknownToken(): ApiError {
  return new ApiError(404, 'NOT_FOUND', problem('invitationTokenUnknown'))
}

/**
 * Counts a password attempt. Returns undefined if there is no account whose password could be
 * guessed. An ADMIN who invites an address could otherwise guess its password here without limit,
 * so these attempts count like those to sign in.
 */
async function passwordAttempt(
  context: ApiContext,
  request: EndpointInput<unknown, unknown, AcceptInvitation>,
): Promise<PasswordAttempt | undefined> {
  const { db, clock } = context
  const { token, password } = request.body
  const invitation = password === undefined ? undefined : await findInvitation(db, token, clock())
  const known = invitation && (await findUserByEmail(db, invitation.email))
  if (invitation === undefined || known === undefined) return undefined
  if (takesOver(invitation, known, request.body)) return undefined
  return beginPasswordAttempt(context, request, known.email)
}

/** Throws ApiError 429 if no more mails may be sent today: nothing is created then. */
async function requireMailBudget(
  { db, accounts, config, clock }: ApiContext,
  organizationId: string,
  senderId: string | null,
): Promise<void> {
  if (accounts.mailer === undefined) return
  const nowMs = clock()
  const stop = await mailStop(db, { organizationId, senderId }, { budgets: config, nowMs })
  if (stop === undefined || stop === 'stopped') return
  const seconds = Math.ceil((nextMailDayMs(nowMs) - nowMs) / 1000)
  const found = problem(stop === 'account' ? 'accountMailsUsedUp' : 'installationMailsUsedUp')
  throw new ApiError(429, 'RATE_LIMITED', found, { headers: { 'retry-after': String(seconds) } })
}

type Mailing = {
  invitation: InvitationRow
  senderId: string | null
  inviterId: string | null
  url: string
}

/** Returns nothing if the installation sends no mails. */
async function mailInvitation(
  context: ApiContext,
  request: Pick<EndpointInput, 'headers'>,
  mailing: Mailing,
): Promise<Pick<CreatedInvitation, 'mailed' | 'notMailed'>> {
  const { mailer } = context.accounts
  if (mailer === undefined) return {}
  const notMailed = await tryToMail(context, request, { ...mailing, mailer })
  return notMailed === undefined ? { mailed: true } : { mailed: false, notMailed }
}

/** Returns why the mail was not sent. */
async function tryToMail(
  { db, accounts, config, views, clock }: ApiContext,
  request: Pick<EndpointInput, 'headers'>,
  { invitation, senderId, inviterId, url, mailer }: Mailing & { mailer: Mailer },
): Promise<CreatedInvitation['notMailed']> {
  const { organizationId, email } = invitation
  const organization = await readOrganization(db, organizationId)
  if (await refusesMails(db, email, views.addressHash)) return 'UNWANTED'
  if (organization === undefined || !(await accounts.mailLimit(organizationId, clock())).allowed)
    return 'LIMITED'
  const counted = { organizationId, senderId, kind: 'invitation', domain: domainOf(email) } as const
  const stop = await inTransaction(db, (tx) => countMail(tx, counted, { budgets: config, nowMs: clock() }))
  if (stop !== undefined) return stop === 'stopped' ? 'STOPPED' : 'LIMITED'
  const language = (await readLanguage(db, { email })) ?? (await readLanguage(db, { id: inviterId }))
  const answered = { kind: 'invitation', organizationId, viewId: '', address: email } as const
  const neverUrl = mailAnswerAddress(config.publicUrl, createMailToken(views.leaveBox, answered))
  const mail = invitationMail(mailLanguage({ language }, request), {
    organization: plainName(organization.name),
    by: await readSenderAddress(db, { organizationId, senderId }),
    host: new URL(config.publicUrl).host,
    url,
    neverUrl,
  })
  if (await mailer({ to: email, leaveUrl: neverUrl, ...mail, holder: organizationId })) return undefined
  await countRefusedMail(db, counted, clock())
  return 'REFUSED'
}

function invitationRecord(row: InvitationRow): Invitation {
  const { id, email, role, invitedBy } = row
  return {
    id,
    email,
    role,
    invitedBy,
    createdAt: timestamp(row.createdAtMs),
    expiresAt: timestamp(row.expiresAtMs),
    acceptedAt: timestampOrNull(row.acceptedAtMs),
  }
}
