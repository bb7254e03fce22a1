import { Type, type Static } from 'typebox'
import { strictObject } from './common.ts'

/** What people can do by themselves at an installation, before anybody is signed in. */
export const SignInOptions = strictObject({
  signUp: Type.Boolean({
    description:
      'Whether people can make an account without an invitation; some installations take e-mail addresses of certain domains only.',
  }),
  mails: Type.Boolean({
    description: 'Whether the installation sends mails, as for a forgotten password.',
  }),
})
export type SignInOptions = Static<typeof SignInOptions>
