import { limits } from '@everscan/contract/schema/limits.ts'
import { ConfirmedSignUp, ConfirmSignUp, SignedUp, SignUp } from '@everscan/contract/resources/sign-ups.ts'
import { hashNewPassword } from '../../catalogue/accounts/new-passwords.ts'
import { createAccount, type RequestedAccount } from '../../catalogue/organizations/sign-ups.ts'
import { findUserByEmail, normalEmail } from '../../catalogue/accounts/users.ts'
import { ApiError } from '../../errors.ts'
import { appAddress } from '../http/app-addresses.ts'
import { endpoint, type EndpointInput } from '../http/endpoint.ts'
import type { ApiContext } from '../http/api-context.ts'
import type { Mailer } from '../http/mailer.ts'
import { accountExistsMail, signUpMail } from './mails.ts'
import { networkOf } from '../http/networks.ts'
import { accountSource, requestSource } from '../http/origins.ts'
import { reportOutcome } from './account-outcomes.ts'

const tag = 'Signing in'
const hourMs = 3_600_000
/** The purpose under which a pending account is sealed. */
const sealName = 'sign-up'

/** A pending account exists only in its link, so that strangers cannot fill a table. */
type Waiting = RequestedAccount & { expiresAtMs: number }

export const create = endpoint({
  id: 'signUp',
  method: 'POST',
  path: '/auth/sign-up',
  role: 'public',
  triesPerMinute: limits.mailTriesPerMinute,
  tag,
  summary: 'Sign up: request an account with an organization of its own.',
  description:
    '403 unless the installation allows it (`SIGN_UP`). If the installation sends mails, the e-mail address must be confirmed first, and the response does not reveal whether the address has an account. Otherwise the account is created immediately, or 409 if the address already has one.',
  body: SignUp,
  status: 202,
  response: SignedUp,
  errors: [409],
  handle: async (context, _caller, request) => {
    const { accounts, clock } = context
    const { email, name, password, organizationName } = request.body
    requireSignUp(context, email)
    // Protects mailboxes from being filled: each further mail has to wait longer.
    accounts.attempts.begin(`sign-up ${normalEmail(email)} ${networkOf(request.ip)}`, clock())
    // In every case: otherwise the timing would reveal whether the account exists.
    const passwordHash = await hashNewPassword(password, { email, name, path: 'password' })
    const wanted = { email: normalEmail(email), name, passwordHash, organizationName }
    if (accounts.mailer === undefined) {
      await createRequested(context, request, wanted)
      return { mailed: false }
    }
    await mailSignUp(context, { wanted, mailer: accounts.mailer })
    return { mailed: true }
  },
})

export const confirm = endpoint({
  id: 'confirmSignUp',
  method: 'POST',
  path: '/auth/sign-up/confirm',
  role: 'public',
  triesPerMinute: limits.signInTriesPerMinute,
  tag,
  summary: 'Confirm the e-mail address of a sign-up, which creates the account.',
  description: 'Requires the part of the link after "#". 404 if it has expired; 409 if it was already used.',
  body: ConfirmSignUp,
  status: 200,
  response: ConfirmedSignUp,
  errors: [404, 409],
  handle: async (context, _caller, request) => {
    const { accounts, clock } = context
    const opened = accounts.signUpBox.open(request.body.token, sealName)
    const waiting = opened === undefined ? undefined : (JSON.parse(opened) as Waiting)
    if (waiting === undefined || waiting.expiresAtMs <= clock())
      throw new ApiError(404, 'NOT_FOUND', 'This token is unknown or expired. Sign up again.')
    requireSignUp(context, waiting.email)
    const { expiresAtMs: _, ...wanted } = waiting
    await createRequested(context, request, wanted)
    return { confirmed: true as const }
  },
})

async function createRequested(
  context: ApiContext,
  request: EndpointInput,
  wanted: RequestedAccount,
): Promise<void> {
  const from = requestSource(request, 'dashboard')
  const source = accountSource(request)
  const accountId = await createAccount(context.db, wanted, { from, source, nowMs: context.clock() })
  reportOutcome(context, request, { accountId, action: 'account.create' })
}

async function mailSignUp(
  { db, accounts, config, clock }: ApiContext,
  { wanted, mailer }: { wanted: RequestedAccount; mailer: Mailer },
): Promise<void> {
  const known = await findUserByEmail(db, wanted.email)
  const waiting: Waiting = { ...wanted, expiresAtMs: clock() + limits.signUpHours * hourMs }
  const token = accounts.signUpBox.seal(JSON.stringify(waiting), sealName)
  const mail =
    known === undefined
      ? signUpMail({ url: appAddress(config.publicUrl, 'signUp', token) })
      : accountExistsMail({ url: `${config.publicUrl}/app` })
  if (!(await mailer({ to: wanted.email, ...mail })))
    throw new ApiError(503, 'UNAVAILABLE', 'The mail could not be sent. Try again in a moment.', {
      headers: { 'retry-after': '60' },
    })
}

function requireSignUp({ accounts }: ApiContext, email: string): void {
  const { signUp } = accounts
  const domain = normalEmail(email).split('@').at(-1) ?? ''
  if (signUp === 'open' || (signUp !== 'off' && signUp.includes(domain))) return
  throw new ApiError(
    403,
    'FORBIDDEN',
    'This installation does not allow sign-ups with this e-mail address. Ask for an invitation.',
  )
}
