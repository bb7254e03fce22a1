import type { DashboardLanguage } from '@everscan/contract/schema/dashboard-languages.ts'
import { mailWords } from '../../product/mails/mail-words.ts'
import { plainName } from '../../product/mails/plain-names.ts'

/** The sender of a question, and its page. */
export type Question = {
  language: DashboardLanguage
  /** A confirmed address of the organization; undefined if it has none. */
  by: string | undefined
  organization: string
  host: string
  /** The page that asks. */
  url: string
}

/**
 * Writes the mail that asks an address whether it wants mails of views. Apart from the name of the
 * organization, in its plain form, no word of it is the sender's.
 */
export function consentMail({ language, by, organization, host, url }: Question) {
  const words = mailWords[language].consent
  const name = plainName(organization)
  const asks = by === undefined ? words.asksForOrganization(name, host) : words.asks(by, name, host)
  return {
    subject: words.subject(host),
    text: `${[asks, words.answer, url, words.ignore].join('\n\n')}\n`,
  }
}
