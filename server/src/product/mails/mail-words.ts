import type { DashboardLanguage } from '@everscan/contract/schema/dashboard-languages.ts'
import { englishMails } from './words/english-mails.ts'
import { frenchMails } from './words/french-mails.ts'
import { germanMails } from './words/german-mails.ts'
import { spanishMails } from './words/spanish-mails.ts'

/** Every word of mails. A language that lacks a word, or has one more, does not compile. */
export type MailWords = typeof englishMails

/** The words of mails by language. Their terms are those of the dashboard: record 82. */
export const mailWords: Readonly<Record<DashboardLanguage, MailWords>> = {
  en: englishMails,
  de: germanMails,
  fr: frenchMails,
  es: spanishMails,
}
