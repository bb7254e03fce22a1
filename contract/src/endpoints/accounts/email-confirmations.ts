import { limits } from '../../schema/limits.ts'
import { RequestedEmailConfirmation, ConfirmEmail } from '../../resources/email-confirmations.ts'
import { User } from '../../resources/users.ts'
import { endpoint } from '../endpoint.ts'

const tag = 'Signing in'
const path = '/users/me/email-confirmation'

export const emailConfirmations = {
  request: endpoint({
    id: 'requestEmailConfirmation',
    call: 'me.requestEmailConfirmation',
    method: 'POST',
    interactive: true,
    path,
    role: 'session',
    tag,
    summary: 'Send a mail with a link that confirms the e-mail address of the signed-in account.',
    description: `The link works for ${limits.emailConfirmationHours} h, with a session of the account. 403 if the installation sends no mails; 409 if the address is confirmed already.`,
    status: 202,
    response: RequestedEmailConfirmation,
    errors: [409],
  }),

  confirm: endpoint({
    id: 'confirmEmail',
    call: 'me.confirmEmail',
    method: 'POST',
    interactive: true,
    path: `${path}/confirm`,
    role: 'session',
    tag,
    summary: 'Confirm the e-mail address of the signed-in account.',
    description:
      'Requires the part of the link after "#". Changes nothing if the address is confirmed already. 404 if the token has expired or belongs to another account.',
    body: ConfirmEmail,
    status: 200,
    response: User,
    errors: [404],
  }),
}
