import { inLanguage } from './chosen-language.ts'

// Words of signing in and up, of the second factor, and of links for a new password.

export const signInWords = inLanguage('signInWords', {
  title: 'Sign in',
  email: 'E-mail address',
  password: 'Password',
  submit: 'Sign in',
  forgotten: 'Forgot your password?',
  forgottenHelp:
    'Enter your address above to get a link by e-mail, or ask an admin of your organization for one (Settings, Members).',
  forgottenNoMails: 'Ask an admin of your organization for a password link (Settings, Members).',
  askForLink: 'E-mail me a link',
  asked: 'If an account has that address, a link is on its way.',
})

export const endedSessionWords = inLanguage('endedSessionWords', {
  title: 'Your session has ended',
  text: 'Sign in again to go on where you were. What you typed is still here.',
  notNow: 'Not now',
  left: 'You are signed out. You can read on, but nothing is saved.',
  /** Reports of changes and reads that were refused. */
  notSaved: 'Not saved, because your session has ended. Sign in again and save once more.',
  notRead: 'Your session has ended. Sign in to see this.',
  otherTitle: 'You are signed in to another account',
  /** `other` is undefined until it is known. */
  otherText: (mine: string, other = 'another account') =>
    `This browser is signed in as ${other} now. What you typed here as ${mine} was not sent.`,
  otherHint: (mine: string) =>
    `Sign in as ${mine} again to save it. Or continue without it: this page loads anew.`,
  signInAs: (email: string) => `Sign in as ${email}`,
  goOnAs: (email = 'the other account') => `Continue as ${email}`,
})

export const confirmationWords = inLanguage('confirmationWords', {
  title: 'Confirm that it’s you',
  text: 'You are about to change how you sign in. Confirm it with your second factor; we won’t ask again for ten minutes.',
  submit: 'Confirm',
  cancelled: 'Nothing was changed, because you did not confirm it.',
})

export const newPasswordWords = inLanguage('newPasswordWords', {
  title: 'Choose a new password',
  password: 'New password',
  hint: 'At least 10 characters. A sentence is easy to remember.',
  submit: 'Set password',
  done: 'Your password is set. Sign in with it.',
  noToken: 'This link is incomplete. Open it exactly as it was sent to you.',
})

export const signUpWords = inLanguage('signUpWords', {
  title: 'Create an account',
  offer: 'New here?',
  link: 'Create an account',
  name: 'Your name',
  email: 'E-mail address',
  organizationName: 'Name of your organization',
  organizationHint: 'Your company, restaurant or club. You can change it later.',
  submit: 'Create account',
  mailed: 'Check your e-mail: we have sent you a link. Open it to choose your password.',
  done: 'Your account is ready. Sign in to get started.',
  haveAccount: 'Already have an account?',
  off: 'Sign-up is off here. Ask an admin for an invitation.',
  confirmTitle: 'Confirm your e-mail address',
  confirmText: 'One more step: choose the password of your account.',
  confirm: 'Confirm',
  confirmed: 'Your address is confirmed and your account is ready. Sign in to get started.',
})

export const emailConfirmationWords = inLanguage('emailConfirmationWords', {
  confirmed: 'Confirmed',
  notConfirmed: 'Not confirmed',
  why: 'Show that this address is yours. Until then, whoever can read its e-mails can take over your account, even with two-factor sign-in.',
  send: 'E-mail me a link',
  sendAgain: 'Send another link',
  sent: (email: string) => `A link is on its way to ${email}. Open it in this browser.`,
  title: 'Confirm your e-mail address',
  text: 'You are signed in as',
  submit: 'Confirm',
  done: 'Your e-mail address is confirmed.',
  next: 'Go to your codes',
})

export const secondFactorWords = inLanguage('secondFactorWords', {
  intro: 'One more step to sign in as',
  usePasskey: 'Use a passkey',
  noPasskeys: 'Your passkeys do not work in this browser or at this address.',
  code: 'Authenticator code',
  codeHint: 'The six digits that your authenticator app shows now.',
  recoveryCode: 'Recovery code',
  recoveryCodeHint: 'One of the codes that you saved. Each works once.',
  instead: {
    passkey: 'Use a passkey instead',
    code: 'Use an authenticator code instead',
    recoveryCode: 'Use a recovery code instead',
  },
  back: 'Back',
})
