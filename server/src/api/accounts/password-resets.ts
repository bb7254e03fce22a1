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
import { appAddress } from '../http/app-addresses.ts'
import { endpoint } from '../http/endpoint.ts'
import type { ApiContext } from '../http/api-context.ts'
import type { Mailer } from '../http/mailer.ts'
import { passwordResetMail } from './mails.ts'
import { notFound } from '../http/request-errors.ts'
import { timestamp } from '../../records/timestamps.ts'

const tag = 'Signing in'

export const request = endpoint({
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
  handle: (context, _caller, { body, log }) => {
    const { mailer } = context.accounts
    // Runs after the response, whose timing would otherwise reveal whether the account exists.
    if (mailer !== undefined)
      mailReset(context, { email: body.email, mailer }).catch((error: unknown) =>
        log.error({ err: error }, 'a password reset link was not mailed'),
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
    'Requires the part of the link after "#". All sessions of the account end; two-factor sign-in stays on. 404 if the token is unknown, used or expired.',
  body: ConfirmPasswordReset,
  status: 200,
  response: ConfirmedPasswordReset,
  errors: [404],
  handle: async ({ db, clock }, _caller, { body }) => {
    if (!(await usePasswordReset(db, { ...body, nowMs: clock() })))
      throw new ApiError(404, 'NOT_FOUND', 'This token is unknown, used or expired. Request a new link.')
    return { reset: true as const }
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
  handle: async ({ db, config, clock }, { userId: adminId, origin }, { params }) => {
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
    return {
      resetUrl: appAddress(config.publicUrl, 'passwordReset', made.token),
      expiresAt: timestamp(made.expiresAtMs),
    }
  },
})

async function mailReset(
  { db, config, clock }: ApiContext,
  { email, mailer }: { email: string; mailer: Mailer },
): Promise<void> {
  const user = await findUserByEmail(db, email)
  if (user === undefined) return
  const made = await requestPasswordReset(db, user.id, clock())
  if (made === undefined) return
  const url = appAddress(config.publicUrl, 'passwordReset', made.token)
  await mailer({ to: user.email, ...passwordResetMail({ url }) })
}
