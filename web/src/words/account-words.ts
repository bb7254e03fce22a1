import type { AccountAction } from '@everscan/contract/resources/account-log.ts'
import { inLanguage } from './chosen-language.ts'

type AccountSentence = string | ((entry: { times: number; from: string; program: string }) => string)

const timesOf = (times: number) => (times === 1 ? 'once' : `${times} times`)

// Words of the account, its log, and invitations.

export const invitationWords = inLanguage('invitationWords', {
  title: 'Your invitation',
  join: (organization: string) => `Join ${organization}`,
  invites: (who: string, organization: string) =>
    `${who} invites you to work on the codes of ${organization}.`,
  email: 'For',
  role: 'As',
  roles: {
    ADMIN: 'admin: everything, with members and settings',
    EDITOR: 'editor: create and change codes',
    VIEWER: 'viewer: look at codes and analytics',
  },
  valid: 'Expires',
  name: 'Your name',
  newPassword: 'Choose a password',
  passwordHint: 'The password of your account with this address.',
  submit: 'Accept and sign in',
  gone: 'This invitation was already used or withdrawn, or it has expired. Ask for a new one.',
  welcome: (organization: string) => `Welcome to ${organization}`,
  done: (organization: string) => `You have joined ${organization}. Sign in to get started.`,
})

export const accountWords = inLanguage('accountWords', {
  neededBy: (organizations: string) =>
    `${organizations} cannot be opened without it. You can turn it on again, for example with another phone.`,
  title: 'Your account',
  profile: 'Profile',
  name: 'Name',
  email: 'E-mail address',
  saved: 'Saved',
  password: 'Password',
  current: 'Current password',
  next: 'New password',
  change: 'Change password',
  changed: 'Password changed. All other sessions have ended.',
  passkeysKept: 'Your passkeys still work: remove any that you do not recognize.',
  sessions: 'Sessions',
  sessionsText: 'Where you are signed in. End any session that you do not recognize.',
  thisOne: 'This session',
  unknownProgram: 'Unknown browser',
  lastUsed: (when: string) => `last used ${when}`,
  end: 'End',
  endOthers: 'End all other sessions',
  twoFactor: 'Two-factor sign-in',
  twoFactorText: 'Signing in with your password also asks for a code from an authenticator app.',
  twoFactorPasskeys: 'You have a passkey as second factor. An app is another one, in case you lose it.',
  on: 'On',
  off: 'Off',
  turnOn: 'Turn on',
  turnOff: 'Turn off',
  scan: 'Scan this with your authenticator app, then enter the code that it shows.',
  secret: 'Or enter this secret:',
  code: 'Code',
  confirm: 'Confirm',
  recovery: 'Recovery codes',
  recoveryText:
    'Each code replaces your passkey or authenticator once, if you lose it. Store them somewhere else; they are not shown again.',
  done: 'Done, I’ve saved them',
  renew: 'New recovery codes',
  renewText: 'Creates ten new codes. The old ones stop working.',
})

export const accountLogWords = inLanguage('accountLogWords', {
  title: 'Recent activity',
  text: 'Sign-ins, failed attempts and changes of your account. Everscan stores no full addresses: 203.0.113.0/24 is a network, which many people may share.',
  advice: 'Something here was not you? Change your password. This ends all other sessions.',
  toPassword: 'Go to password',
  none: 'Nothing yet. Sign-ins and changes of your account will appear here.',
  more: 'Show more',
  someProgram: 'an unknown browser',
  manyNetworks: 'many networks',
  operator: 'the operator of this service',
  by: (name: string) => `by ${name}`,
  period: (first: string, last: string) => `${first} to ${last}`,
  actions: {
    'sign-in.password': ({ program }) => `Signed in from ${program}`,
    'sign-in.code': ({ program }) => `Signed in from ${program}, with an authenticator code`,
    'sign-in.recovery-code': ({ program }) => `Signed in from ${program}, with a recovery code`,
    'sign-in.password-and-passkey': ({ program }) => `Signed in from ${program}, with password and passkey`,
    'sign-in.passkey': ({ program }) => `Signed in from ${program}, with a passkey`,
    'account.create': 'Account created',
    'account.take-over': 'Account taken over through a link in an e-mail, after its address was confirmed',
    'email.confirm': 'E-mail address confirmed',
    'password.change': 'Password changed',
    'password-reset.create': 'Link for a new password created',
    'password-reset.use': 'New password set through a link',
    'two-factor.on': 'Two-factor sign-in turned on',
    'two-factor.off': 'Two-factor sign-in turned off',
    'recovery-codes.renew': 'New recovery codes created',
    'recovery-code.use': 'Recovery code used to confirm a change',
    'passkey.add': 'Passkey added',
    'passkey.remove': ({ times }) => (times === 1 ? 'Passkey removed' : `${times} passkeys removed`),
    'session.end': 'Session ended',
    'session.end-others': 'All other sessions ended',
    'import.dry-run': 'Dry run of an archive for a new organization',
    'sign-in.wrong-password': ({ times, from }) =>
      `${times === 1 ? '1 failed sign-in' : `${times} failed sign-ins`} from ${from}`,
    'sign-in.wrong-code': ({ times, from }) =>
      `Right password, but wrong code, ${timesOf(times)} from ${from}`,
    'sign-in.wrong-passkey': ({ times, from }) => `Passkey refused, ${timesOf(times)} from ${from}`,
    'sign-in.password-and-wrong-passkey': ({ times, from }) =>
      `Right password, but passkey refused, ${timesOf(times)} from ${from}`,
    'passkey.counter-refused': ({ from }) =>
      `Passkey refused, from ${from}: its use counter went back, so someone may have copied it. Remove it unless you can explain this.`,
    'confirmation.wrong-password': ({ times, from }) =>
      `Wrong current password, ${timesOf(times)} from ${from}`,
    'confirmation.wrong-code': ({ times, from }) =>
      `Wrong code to confirm a change, ${timesOf(times)} from ${from}`,
    'confirmation.wrong-passkey': ({ times, from }) =>
      `Passkey refused when confirming a change, ${timesOf(times)} from ${from}`,
    'password-reset.request': ({ from }) => `Link for a new password requested from ${from}`,
  } satisfies Readonly<Record<AccountAction, AccountSentence>>,
})
