import { limits } from '../../schema/limits.ts'
import { SignUp, SignedUp, ConfirmSignUp, ConfirmedSignUp } from '../../resources/sign-ups.ts'
import { endpoint } from '../endpoint.ts'

const tag = 'Signing in'

export const signUps = {
  create: endpoint({
    id: 'signUp',
    call: 'auth.signUp',
    method: 'POST',
    interactive: true,
    path: '/auth/sign-up',
    role: 'public',
    triesPerMinute: limits.mailTriesPerMinute,
    tag,
    summary: 'Sign up: request an account with an organization of its own.',
    description:
      '403 unless the installation allows it (`SIGN_UP`). If the installation sends mails, the e-mail address must be confirmed first, the password is chosen then, and the response does not reveal whether the address has an account: 400 with a `password`. Otherwise `password` is required and the account is created immediately, or 409 if the address already has one.',
    body: SignUp,
    status: 202,
    response: SignedUp,
    errors: [409],
  }),

  confirm: endpoint({
    id: 'confirmSignUp',
    call: 'auth.confirmSignUp',
    method: 'POST',
    interactive: true,
    path: '/auth/sign-up/confirm',
    role: 'public',
    triesPerMinute: limits.signInTriesPerMinute,
    tag,
    summary: 'Confirm the e-mail address of a sign-up and choose the password, which creates the account.',
    description:
      'Requires the part of the link after "#". If the address already has an account that nobody has confirmed, it is taken over: its name and password are replaced, its sessions end, and its second factors and passkeys are removed. 404 if the link has expired; 409 if it was already used.',
    body: ConfirmSignUp,
    status: 200,
    response: ConfirmedSignUp,
    errors: [404, 409],
  }),
}
