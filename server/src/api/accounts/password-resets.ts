import { passwordResets } from '@everscan/contract/endpoints/accounts/password-resets.ts'
import type { RequestPasswordReset } from '@everscan/contract/resources/password-resets.ts'
import { problem } from '@everscan/contract/problems/problem.ts'
import {
  createMemberPasswordReset,
  requestPasswordReset,
  usePasswordReset,
} from '../../catalogue/organizations/password-resets.ts'
import { findUserByEmail } from '../../catalogue/accounts/users.ts'
import { ApiError } from '../../errors.ts'
import { appAddress } from '../../product/mails/app-addresses.ts'
import { Answer, handler, type EndpointInput } from '../http/handler.ts'
import type { ApiContext } from '../http/api-context.ts'
import { mailLanguage } from '../../product/mails/mail-languages.ts'
import type { Mailer } from '../../product/mails/mailer.ts'
import { accountSource } from '../../product/accounts/request-sources.ts'
import { reportOutcome } from '../../product/accounts/account-outcomes.ts'
import { setDeviceCookie } from './known-devices.ts'
import { passwordResetMail } from '../../product/mails/account-mails.ts'
import { notFound } from '../../request-errors.ts'
import { timestamp } from '../../product/records/timestamps.ts'

export const requestByMail = handler(passwordResets.requestByMail, {
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

export const confirm = handler(passwordResets.confirm, {
  handle: async (context, _caller, request) => {
    const { db, accounts, config, clock } = context
    const source = accountSource(request)
    const used = await usePasswordReset(db, { ...request.body, source, nowMs: clock() })
    if (used === undefined) throw new ApiError(404, 'NOT_FOUND', problem('resetTokenUnknown'))
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

export const createForMember = handler(passwordResets.createForMember, {
  handle: async (context, { userId: adminId, origin }, request) => {
    const { db, config, clock } = context
    const { params } = request
    if (adminId === null) throw new Error('a session must have an account')
    if (params.id === adminId) throw new ApiError(409, 'CONFLICT', problem('ownPasswordOfMember'))
    const key = { organizationId: params.orgId, userId: params.id }
    const made = await createMemberPasswordReset(db, key, { adminId, origin, nowMs: clock() })
    if (made === undefined) throw notFound()
    if (made === 'NOT_ALLOWED') throw new ApiError(403, 'FORBIDDEN', problem('passwordOfMemberRefused'))
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
