import { Type, type Static } from 'typebox'
import { strictObject } from '../schema/common.ts'

/** What people can do by themselves at an installation, and what becomes of scans there, before anybody is signed in. */
export const SignInOptions = strictObject({
  signUp: Type.Boolean({
    description:
      'Whether people can make an account without an invitation; some installations take e-mail addresses of certain domains only.',
  }),
  mails: Type.Boolean({
    description: 'Whether the installation sends mails, as for a forgotten password.',
  }),
  retentionDays: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
    description:
      'How many days the installation keeps scans: older ones are gone from all figures at the next midnight (UTC). `null`: it keeps them for ever.',
  }),
})
export type SignInOptions = Static<typeof SignInOptions>
