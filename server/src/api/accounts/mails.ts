import type { AccountAction } from '@everscan/contract/resources/account-log.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { ApiError } from '../../errors.ts'
import type { Mail } from '../http/mailer.ts'

type Written = Omit<Mail, 'to'>

export function invitationMail(mail: { organization: string; invitedBy: string; url: string }): Written {
  return {
    subject: `Invitation to ${mail.organization}`,
    text: letter(
      `${mail.invitedBy} invites you to the organization "${mail.organization}" on Everscan.`,
      `Accept the invitation within ${limits.invitationDays} days:`,
      mail.url,
      'If you do not expect this invitation, ignore this mail.',
    ),
  }
}

export function passwordResetMail(mail: { url: string; isConfirmed: boolean }): Written {
  return {
    subject: 'Your Everscan password',
    text: letter(
      'Someone, probably you, requested a new password for your Everscan account.',
      `Choose one within ${limits.passwordResetHours} h:`,
      mail.url,
      ...(mail.isConfirmed
        ? []
        : [
            'Your e-mail address is not confirmed yet. This link confirms it, and removes authenticator apps and passkeys, in case someone else added them.',
          ]),
      'If it was not you, ignore this mail: your password stays unchanged.',
    ),
  }
}

export function signUpMail(mail: { url: string }): Written {
  return {
    subject: 'Your Everscan account',
    text: letter(
      'Someone, probably you, requested an Everscan account for this e-mail address.',
      `Confirm it and choose a password within ${limits.signUpHours} h:`,
      mail.url,
      'If it was not you, ignore this mail: no account is created.',
    ),
  }
}

/** Tells only the owner of the address that it already has an account. */
export function accountExistsMail(mail: { url: string }): Written {
  return {
    subject: 'Your Everscan account',
    text: letter(
      'Someone, probably you, requested an Everscan account for this e-mail address, which already has one.',
      'Sign in here. If you forgot your password, you can replace it there too:',
      mail.url,
    ),
  }
}

/**
 * Tells only the owner of the address that it already has an account, which anybody may have
 * created.
 */
export function takeOverMail(mail: { url: string; signInUrl: string }): Written {
  return {
    subject: 'Your Everscan account',
    text: letter(
      'Someone, probably you, requested an Everscan account for this e-mail address. It already has one, but nobody has confirmed that the address is theirs.',
      'If you use that account, sign in and confirm your address on the account page:',
      mail.signInUrl,
      `If you do not know that account, take it over within ${limits.signUpHours} h. Its name and password are replaced, everybody who uses it is signed out, and its authenticator apps and passkeys are removed:`,
      mail.url,
      'If it was not you, ignore this mail: nothing changes.',
    ),
  }
}

export function emailConfirmationMail(mail: { url: string }): Written {
  return {
    subject: 'Confirm your e-mail address',
    text: letter(
      'Someone, probably you, is signed in to an Everscan account with this e-mail address.',
      `Confirm that the address is yours within ${limits.emailConfirmationHours} h, in a browser that is signed in to the account:`,
      mail.url,
      'If it was not you, do not confirm it. You can take the account over with a new password: choose "Forgot your password?" where you sign in.',
    ),
  }
}

/** The error for a mail that the mail server did not accept. */
export function mailNotSent(): ApiError {
  return new ApiError(503, 'UNAVAILABLE', 'The mail could not be sent. Try again in a moment.', {
    headers: { 'retry-after': '60' },
  })
}

const mailedChanges = {
  'account.take-over': 'Your Everscan account was taken over, through a link that was mailed to you.',
  'password.change': 'The password of your Everscan account was changed.',
  'password-reset.use': 'The password of your Everscan account was replaced, through a link.',
  'two-factor.on': 'Two-factor sign-in was turned on for your Everscan account.',
  'two-factor.off': 'Two-factor sign-in was turned off for your Everscan account.',
  'recovery-codes.renew': 'The recovery codes of your Everscan account were replaced.',
  'passkey.add': 'A passkey was added to your Everscan account.',
  'passkey.remove': 'A passkey was removed from your Everscan account.',
  'recovery-code.use': 'A recovery code was used to confirm a change of your Everscan account.',
  'sign-in.recovery-code': 'A recovery code was used to sign in to your Everscan account.',
} as const satisfies Partial<Record<AccountAction, string>>

/** A change that the owner of an account is told by mail. */
export type MailedAction = keyof typeof mailedChanges

export function isMailed(action: AccountAction): action is MailedAction {
  return action in mailedChanges
}

/**
 * Tells the owner of an account of a change. Says nothing that the client chose, such as its user
 * agent: a stranger could otherwise write to the owner in our name.
 */
export function accountMail(
  action: MailedAction,
  mail: { atMs: number; network: string | null; url: string },
): Written {
  const at = new Date(mail.atMs).toISOString().slice(0, 16).replace('T', ' ')
  const from = mail.network === null ? '' : `, from the network ${mail.network}`
  return {
    subject: 'Security of your Everscan account',
    text: letter(
      mailedChanges[action],
      `It happened at ${at} UTC${from}.`,
      'If it was you, ignore this mail.',
      'If it was not you, set a new password now ("Forgot your password?"), which ends all sessions. Then look at "Recent activity" in your account, and remove passkeys that you do not know:',
      mail.url,
    ),
  }
}

function letter(...paragraphs: readonly string[]): string {
  return `${paragraphs.join('\n\n')}\n`
}
