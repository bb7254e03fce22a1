import { limits } from '../../schema/limits.ts'
import {
  RequestPasswordReset,
  RequestedPasswordReset,
  ConfirmPasswordReset,
  ConfirmedPasswordReset,
  CreatedPasswordReset,
} from '../../resources/password-resets.ts'
import { RecordParams } from '../../schema/common.ts'
import { endpoint } from '../endpoint.ts'

const tag = 'Signing in'

export const passwordResets = {
  requestByMail: endpoint({
    id: 'requestPasswordReset',
    call: 'auth.requestPasswordReset',
    method: 'POST',
    interactive: true,
    path: '/auth/password-reset',
    role: 'public',
    triesPerMinute: limits.mailTriesPerMinute,
    tag,
    summary: 'Request a link for setting a new password.',
    description: `The link is mailed if the account exists and the installation sends mails, and it works for ${limits.passwordResetHours} h. The response is always the same.`,
    body: RequestPasswordReset,
    status: 202,
    response: RequestedPasswordReset,
  }),

  confirm: endpoint({
    id: 'confirmPasswordReset',
    call: 'auth.confirmPasswordReset',
    method: 'POST',
    interactive: true,
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
  }),

  createForMember: endpoint({
    id: 'createMemberPasswordReset',
    call: 'members.createPasswordReset',
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
  }),
}
