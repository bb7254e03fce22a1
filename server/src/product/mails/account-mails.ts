import { problem } from '@everscan/contract/problems/problem.ts'
import type { AccountAction } from '@everscan/contract/resources/account-log.ts'
import type { DashboardLanguage } from '@everscan/contract/schema/dashboard-languages.ts'
import { ApiError } from '../../errors.ts'
import { mailFormats } from './mail-formats.ts'
import { mailWords, type MailWords } from './mail-words.ts'
import type { Mail } from './mailer.ts'

type Written = Omit<Mail, 'to'>

/**
 * `organization` is a text of a stranger, in its plain form. `by` is a confirmed address: a name
 * could be chosen to say anything.
 */
export function invitationMail(
  language: DashboardLanguage,
  {
    organization,
    by,
    host,
    url,
    neverUrl,
  }: { organization: string; by: string | undefined; host: string; url: string; neverUrl: string },
): Written {
  const words = mailWords[language].invitation
  return {
    subject: words.subject(host),
    text: letter(
      by === undefined ? words.invitesTo(organization) : words.invites(by, organization),
      words.accept,
      url,
      words.ignore,
      words.never(host),
      neverUrl,
    ),
  }
}

export function passwordResetMail(
  language: DashboardLanguage,
  { url, isConfirmed }: { url: string; isConfirmed: boolean },
): Written {
  const { subject, requested, choose, unconfirmed, ignore } = mailWords[language].passwordReset
  return {
    subject,
    text: letter(requested, choose, url, ...(isConfirmed ? [] : [unconfirmed]), ignore),
  }
}

export function signUpMail(language: DashboardLanguage, { url }: { url: string }): Written {
  const { subject, requested, confirm, ignore } = mailWords[language].signUp
  return { subject, text: letter(requested, confirm, url, ignore) }
}

/** Tells only the owner of the address that it already has an account. */
export function accountExistsMail(language: DashboardLanguage, { url }: { url: string }): Written {
  const { accountExists, signUp } = mailWords[language]
  return { subject: signUp.subject, text: letter(accountExists.requested, accountExists.signIn, url) }
}

/**
 * Tells only the owner of the address that it already has an account, which anybody may have
 * created.
 */
export function takeOverMail(
  language: DashboardLanguage,
  { url, signInUrl }: { url: string; signInUrl: string },
): Written {
  const { takeOver, signUp } = mailWords[language]
  return {
    subject: signUp.subject,
    text: letter(takeOver.requested, takeOver.signIn, signInUrl, takeOver.takeOver, url, takeOver.ignore),
  }
}

export function emailConfirmationMail(language: DashboardLanguage, { url }: { url: string }): Written {
  const { subject, requested, confirm, ignore } = mailWords[language].emailConfirmation
  return { subject, text: letter(requested, confirm, url, ignore) }
}

/** The error for a mail that the mail server did not accept. */
export function mailNotSent(): ApiError {
  return new ApiError(503, 'UNAVAILABLE', problem('mailNotSent'), {
    headers: { 'retry-after': '60' },
  })
}

/** A change that the owner of an account is told by mail. */
export type MailedAction = keyof MailWords['account']['changes']

export function isMailed(action: AccountAction): action is MailedAction {
  return action in mailWords.en.account.changes
}

/**
 * Tells the owner of an account of a change. Says nothing that the client chose, such as its user
 * agent: a stranger could otherwise write to the owner in our name.
 */
export function accountMail(
  language: DashboardLanguage,
  action: MailedAction,
  { atMs, network, url }: { atMs: number; network: string | null; url: string },
): Written {
  const words = mailWords[language].account
  const at = mailFormats(language).time(atMs)
  const happened = network === null ? words.happened(at) : words.happenedFrom(at, network)
  return {
    subject: words.subject,
    text: letter(words.changes[action], happened, words.ignore, words.act, url),
  }
}

function letter(...paragraphs: readonly string[]): string {
  return `${paragraphs.join('\n\n')}\n`
}
