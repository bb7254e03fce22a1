import type { AccountAction } from '@everscan/contract/resources/account-log.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
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

export function passwordResetMail(mail: { url: string }): Written {
  return {
    subject: 'Your Everscan password',
    text: letter(
      'Someone, probably you, requested a new password for your Everscan account.',
      `Choose one within ${limits.passwordResetHours} h:`,
      mail.url,
      'If it was not you, ignore this mail: your password stays unchanged.',
    ),
  }
}

export function signUpMail(mail: { url: string }): Written {
  return {
    subject: 'Your Everscan account',
    text: letter(
      'Someone, probably you, requested an Everscan account for this e-mail address.',
      `Confirm it within ${limits.signUpHours} h:`,
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

const mailedChanges = {
  'password.change': 'The password of your Everscan account was changed.',
  'password-reset.use': 'The password of your Everscan account was replaced, through a link.',
  'two-factor.on': 'Two-factor sign-in was turned on for your Everscan account.',
  'two-factor.off': 'Two-factor sign-in was turned off for your Everscan account.',
  'recovery-codes.renew': 'The recovery codes of your Everscan account were replaced.',
  'passkey.add': 'A passkey was added to your Everscan account.',
  'passkey.remove': 'A passkey was removed from your Everscan account.',
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
