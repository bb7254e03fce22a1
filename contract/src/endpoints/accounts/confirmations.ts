import { ConfirmSession, ConfirmedSession } from '../../resources/confirmations.ts'
import { endpoint } from '../endpoint.ts'

export const confirmations = {
  confirm: endpoint({
    id: 'confirmSession',
    call: 'me.confirm',
    method: 'POST',
    interactive: true,
    path: '/users/me/confirmation',
    role: 'session',
    tag: 'Signing in',
    summary: 'Confirm the session with a second factor.',
    description: `Required before a change of what signs in to the account. Send one of the fields. Without any, the response is 403 CONFIRMATION_REQUIRED, and \`details\` has the fields that can carry a second factor of the account, with new options for a passkey. 409 if the account has no second factor.`,
    body: ConfirmSession,
    status: 200,
    response: ConfirmedSession,
    errors: [409],
  }),
}
