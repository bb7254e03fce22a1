import { Type, type Static } from 'typebox'
import { strictObject } from '../schema/common.ts'

/**
 * What people can do without an account, and how long the installation stores scans, as shown
 * before sign-in.
 */
export const SignInOptions = strictObject({
  signUp: Type.Boolean({
    description:
      'Whether people can create an account without an invitation. An installation may accept only e-mail addresses of certain domains.',
  }),
  mails: Type.Boolean({
    description: 'Whether the installation sends mails, for example for a forgotten password.',
  }),
  passkeys: Type.Boolean({
    description:
      'Whether people can sign in with passkeys. Browsers allow it only if PUBLIC_URL is https with a host name, or http on localhost.',
  }),
  retentionDays: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
    description:
      'For how many days the installation stores scans. Older scans disappear from all figures at the next midnight (UTC). `null`: scans are stored indefinitely.',
  }),
})
export type SignInOptions = Static<typeof SignInOptions>
