import { SignInOptions } from '../../resources/sign-in-options.ts'
import { endpoint } from '../endpoint.ts'

export const signInOptions = {
  read: endpoint({
    id: 'readSignInOptions',
    call: 'auth.options',
    method: 'GET',
    path: '/auth/options',
    role: 'public',
    tag: 'Signing in',
    summary:
      'Read what people can do without an account (sign up, request mails, use passkeys), and how long scans are stored.',
    status: 200,
    response: SignInOptions,
  }),
}
