import { confirmationNote } from './confirmation-note.ts'
import {
  BeginTwoFactor,
  BegunTwoFactor,
  ConfirmTwoFactor,
  RecoveryCodes,
  RenewRecoveryCodes,
  EndTwoFactor,
} from '../../resources/two-factor.ts'
import { User } from '../../resources/users.ts'
import { endpoint } from '../endpoint.ts'

const tag = 'Signing in'
const path = '/users/me/two-factor'

export const twoFactor = {
  begin: endpoint({
    id: 'beginTwoFactor',
    call: 'me.beginTwoFactor',
    method: 'POST',
    interactive: true,
    path,
    role: 'session',
    tag,
    summary: 'Start setting up two-factor sign-in with an authenticator app.',
    description: `The response has the secret for an authenticator. Sign-in does not require a code until one is confirmed. 409 if an authenticator is already in use. ${confirmationNote}`,
    body: BeginTwoFactor,
    status: 201,
    response: BegunTwoFactor,
    errors: [409],
  }),

  confirm: endpoint({
    id: 'confirmTwoFactor',
    call: 'me.confirmTwoFactor',
    method: 'POST',
    interactive: true,
    path: `${path}/confirm`,
    role: 'session',
    tag,
    summary: 'Turn two-factor sign-in on with a code from the authenticator.',
    description: `Only this response contains the recovery codes. They replace those of an account that has passkeys. ${confirmationNote}`,
    body: ConfirmTwoFactor,
    status: 200,
    response: RecoveryCodes,
  }),

  renewCodes: endpoint({
    id: 'renewRecoveryCodes',
    call: 'me.renewRecoveryCodes',
    method: 'POST',
    interactive: true,
    path: `${path}/recovery-codes`,
    role: 'session',
    tag,
    summary: 'Replace the recovery codes.',
    description: `Only this response contains the new codes; the earlier ones become invalid. 409 if the account has no second factor. ${confirmationNote}`,
    body: RenewRecoveryCodes,
    status: 200,
    response: RecoveryCodes,
    errors: [409],
  }),

  end: endpoint({
    id: 'endTwoFactor',
    call: 'me.endTwoFactor',
    method: 'DELETE',
    repeatable: false,
    interactive: true,
    path,
    role: 'session',
    tag,
    summary: 'Turn two-factor sign-in with an authenticator app off.',
    description: `Requires the password, and a code or a recovery code unless the session is confirmed. Passkeys stay. 409 if it is already off. ${confirmationNote}`,
    body: EndTwoFactor,
    status: 200,
    response: User,
    errors: [409],
  }),
}
