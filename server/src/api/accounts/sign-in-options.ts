import { SignInOptions } from '@everscan/contract/resources/sign-in-options.ts'
import { endpoint } from '../http/endpoint.ts'
import { relyingPartyOf } from '../../product/accounts/relying-party.ts'

export const read = endpoint({
  id: 'readSignInOptions',
  method: 'GET',
  path: '/auth/options',
  role: 'public',
  tag: 'Signing in',
  summary:
    'Read what people can do without an account (sign up, request mails, use passkeys), and how long scans are stored.',
  status: 200,
  response: SignInOptions,
  handle: ({ accounts, config }) => ({
    signUp: accounts.signUp !== 'off',
    mails: accounts.mailer !== undefined,
    passkeys: relyingPartyOf(config.publicUrl) !== undefined,
    retentionDays: config.retentionDays ?? null,
  }),
})
