import { RecordParams } from '@everscan/contract/schema/common.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import {
  ConfirmedPasswordReset,
  ConfirmPasswordReset,
  CreatedPasswordReset,
  RequestedPasswordReset,
  RequestPasswordReset,
} from '@everscan/contract/resources/password-resets.ts'
import {
  createMemberPasswordReset,
  requestPasswordReset,
  usePasswordReset,
} from '../../catalogue/organizations/password-resets.ts'
import { findUserByEmail } from '../../catalogue/accounts/users.ts'
import { ApiError } from '../../errors.ts'
import { appAddress } from '../../product/mails/app-addresses.ts'
import { Answer, endpoint, type EndpointInput } from '../http/endpoint.ts'
import type { ApiContext } from '../http/api-context.ts'
import { mailLanguage } from '../../product/mails/mail-languages.ts'
import type { Mailer } from '../../product/mails/mailer.ts'
import { accountSource } from '../../product/accounts/request-sources.ts'
import { reportOutcome } from '../../product/accounts/account-outcomes.ts'
import { setDeviceCookie } from './known-devices.ts'
import { passwordResetMail } from '../../product/mails/account-mails.ts'
import { notFound } from '../../request-errors.ts'
import { timestamp } from '../../product/records/timestamps.ts'

const tag = 'Signing in'

export const requestByMail = endpoint({
  id: 'requestPasswordReset',
  method: 'POST',
  path: '/auth/password-reset',
  role: 'public',
  triesPerMinute: limits.mailTriesPerMinute,
  tag,
  summary: 'Request a link for setting a new password.',
  description: `The link is mailed if the account exists and the installation sends mails, and it works for ${limits.passwordResetHours} h. The response is always the same.`,
  body: RequestPasswordReset,
  status: 202,
  response: RequestedPasswordReset,
  handle: (context, _caller, request) => {
    const { mailer } = context.accounts
    // Runs after the response, whose timing would otherwise reveal whether the account exists.
    if (mailer !== undefined)
      mailReset(context, request, mailer).catch((error: unknown) =>
        request.log.error({ err: error }, 'a password reset link was not mailed'),
      )
    return { accepted: true as const }
  },
})

export const confirm = endpoint({
  id: 'confirmPasswordReset',
  method: 'POST',
  path: '/auth/password-reset/confirm',
  role: 'public',
  triesPerMinute: limits.signInTriesPerMinute,
  tag,
  summary: 'Set a new password.',
  description:
    'Requires the part of the link after "#". All sessions of the account end; two-factor sign-in stays on. A mailed link also confirms the e-mail address. If nobody had confirmed it, second factors and passkeys are removed: somebody else may have added them. 404 if the token is unknown, used or expired.',
  body: ConfirmPasswordReset,
  status: 200,
  response: ConfirmedPasswordReset,
  responseHeaders: {
    'Set-Cookie': 'The cookie of a known device, so that the owner can sign in during an attack.',
  },
  errors: [404],
  handle: async (context, _caller, request) => {
    const { db, accounts, config, clock } = context
    const source = accountSource(request)
    const used = await usePasswordReset(db, { ...request.body, source, nowMs: clock() })
    if (used === undefined)
      throw new ApiError(404, 'NOT_FOUND', 'This token is unknown, used or expired. Request a new link.')
    const { owner, actions } = used
    for (const action of actions) reportOutcome(context, request, { accountId: owner.id, action })
    const { publicUrl } = config
    const of = { headers: request.headers, publicUrl, nowMs: clock() }
    return new Answer(
      { reset: true as const },
      { 'set-cookie': setDeviceCookie(accounts.deviceBox, owner, of) },
    )
  },
})

export const createForMember = endpoint({
  id: 'createMemberPasswordReset',
  method: 'POST',
  path: '/organizations/:orgId/members/:id/password-reset',
  role: 'ADMIN',
  sessionOnly: true,
  tag: 'Members',
  summary: 'Create a link under which a member sets a new password.',
  description: `Only this response contains the link, which works once, within ${limits.passwordResetHours} h. 403 unless the caller is ADMIN of every organization of the member; 409 for the caller's own account.`,
  params: RecordParams,
  status: 201,
  response: CreatedPasswordReset,
  errors: [409],
  handle: async (context, { userId: adminId, origin }, request) => {
    const { db, config, clock } = context
    const { params } = request
    if (adminId === null) throw new Error('a session must have an account')
    if (params.id === adminId)
      throw new ApiError(409, 'CONFLICT', 'Change your own password in your account, with the current one.')
    const key = { organizationId: params.orgId, userId: params.id }
    const made = await createMemberPasswordReset(db, key, { adminId, origin, nowMs: clock() })
    if (made === undefined) throw notFound()
    if (made === 'NOT_ALLOWED')
      throw new ApiError(
        403,
        'FORBIDDEN',
        'You cannot reset the password of this member; only the operator can.',
      )
    reportOutcome(context, request, { accountId: params.id, action: 'password-reset.create' })
    return {
      resetUrl: appAddress(config.publicUrl, 'passwordReset', made.token),
      expiresAt: timestamp(made.expiresAtMs),
    }
  },
})

async function mailReset(
  context: ApiContext,
  request: EndpointInput<unknown, unknown, RequestPasswordReset>,
  mailer: Mailer,
): Promise<void> {
  const { db, config, clock } = context
  const user = await findUserByEmail(db, request.body.email)
  if (user === undefined) return
  const made = await requestPasswordReset(db, user.id, { source: accountSource(request), nowMs: clock() })
  if (made === undefined) return
  reportOutcome(context, request, { accountId: user.id, action: 'password-reset.request' })
  const url = appAddress(config.publicUrl, 'passwordReset', made.token)
  const isConfirmed = user.emailConfirmedAtMs !== null
  const language = mailLanguage(user, request)
  await mailer({ to: user.email, ...passwordResetMail(language, { url, isConfirmed }) })
}
