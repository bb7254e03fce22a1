import { signInOptions } from '@everscan/contract/endpoints/accounts/sign-in-options.ts'
import { handler } from '../http/handler.ts'
import { relyingPartyOf } from '../../product/accounts/relying-party.ts'

export const read = handler(signInOptions.read, {
  handle: ({ accounts, config }) => ({
    signUp: accounts.signUp !== 'off',
    mails: accounts.mailer !== undefined,
    passkeys: relyingPartyOf(config.publicUrl) !== undefined,
    retentionDays: config.retentionDays ?? null,
  }),
})
