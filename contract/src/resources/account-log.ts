import { Type, type Static } from 'typebox'
import { Actor } from './actors.ts'
import { Id, Timestamp, nullable, strictObject } from '../schema/common.ts'
import { Page } from '../schema/pages.ts'

/**
 * The actions in the log of an account. Each belongs to one kind, because each kind has its own
 * bound: no attempts, sign-ins or dry runs can push a change out of the log.
 *
 * A sign-in is one entry, named for the factor that completed it; `sign-in.passkey` is one with a
 * passkey alone. `confirmation` is a request of a signed-in person that has to be confirmed with
 * the password or a second factor. `account.take-over` is by a person who proved the e-mail
 * address, which nobody had confirmed. `passkey.counter-refused` is a use of a passkey that may
 * have a copy. `import.dry-run` is that of an archive for a new organization; that of an
 * archive for an organization stands in its audit log.
 */
export const accountActionKinds = {
  'sign-in.password': 'signIn',
  'sign-in.code': 'signIn',
  'sign-in.recovery-code': 'signIn',
  'sign-in.password-and-passkey': 'signIn',
  'sign-in.passkey': 'signIn',

  'account.create': 'change',
  'account.take-over': 'change',
  'email.confirm': 'change',
  'password.change': 'change',
  'password-reset.create': 'change',
  'password-reset.use': 'change',
  'two-factor.on': 'change',
  'two-factor.off': 'change',
  'recovery-codes.renew': 'change',
  'recovery-code.use': 'change',
  'passkey.add': 'change',
  'passkey.remove': 'change',
  'session.end': 'change',
  'session.end-others': 'change',

  'import.dry-run': 'dryRun',

  'sign-in.wrong-password': 'attempt',
  'sign-in.wrong-code': 'attempt',
  'sign-in.wrong-passkey': 'attempt',
  'sign-in.password-and-wrong-passkey': 'attempt',
  'passkey.counter-refused': 'attempt',
  'confirmation.wrong-password': 'attempt',
  'confirmation.wrong-code': 'attempt',
  'confirmation.wrong-passkey': 'attempt',
  'password-reset.request': 'attempt',
} as const
export type AccountAction = keyof typeof accountActionKinds
export type AccountActionKind = (typeof accountActionKinds)[AccountAction]

export const accountActions = Object.keys(accountActionKinds) as readonly AccountAction[]

/** An action on an account, or an attempt that failed. */
export const AccountEntry = strictObject({
  id: Id('acc'),
  action: Type.String({
    description: `One of ${accountActions.join(', ')}.`,
    examples: ['sign-in.password'],
  }),
  times: Type.Integer({
    description:
      'How often, or how many. Failures of one hour from one network are one entry, which appears a few seconds after the first of them.',
    minimum: 1,
  }),
  actor: nullable(Actor, {
    description: 'The ADMIN or the operator who did it. Null for the owner, and for people not signed in.',
  }),
  network: nullable(
    Type.String({
      description:
        'Network of the client, /24 or /48, never its address. Null if unknown, for an ADMIN or the operator, and for failures from many networks.',
      examples: ['203.0.113.0/24'],
    }),
  ),
  userAgent: nullable(Type.String({ description: 'User agent of the client.' })),
  createdAt: Timestamp('When it happened, or first happened.'),
  lastAt: Timestamp('When it last happened: later than `createdAt` only if `times` is more than 1.'),
})
export type AccountEntry = Static<typeof AccountEntry>

/** The log of an account, newest first. */
export const AccountLogPage = Page(AccountEntry)
export type AccountLogPage = Static<typeof AccountLogPage>
