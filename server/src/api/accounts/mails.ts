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
      'If you do not know what this is about, ignore this mail.',
    ),
  }
}

export function passwordResetMail(mail: { url: string }): Written {
  return {
    subject: 'Your Everscan password',
    text: letter(
      'Somebody, probably you, asked for a new password of your Everscan account.',
      `Choose one within ${limits.passwordResetHours} h:`,
      mail.url,
      'If it was not you, ignore this mail: your password stays as it is.',
    ),
  }
}

export function signUpMail(mail: { url: string }): Written {
  return {
    subject: 'Your Everscan account',
    text: letter(
      'Somebody, probably you, asked for an Everscan account with this e-mail address.',
      `Confirm it within ${limits.signUpHours} h:`,
      mail.url,
      'If it was not you, ignore this mail: no account is made.',
    ),
  }
}

/** For who has an account: only the owner of the address is told so. */
export function accountExistsMail(mail: { url: string }): Written {
  return {
    subject: 'Your Everscan account',
    text: letter(
      'Somebody, probably you, asked for an Everscan account with this e-mail address, which has one already.',
      'Sign in here; a forgotten password can be replaced there too:',
      mail.url,
    ),
  }
}

function letter(...paragraphs: readonly string[]): string {
  return `${paragraphs.join('\n\n')}\n`
}
