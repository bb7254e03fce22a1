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

function letter(...paragraphs: readonly string[]): string {
  return `${paragraphs.join('\n\n')}\n`
}
