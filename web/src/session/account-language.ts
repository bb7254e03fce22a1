import type { User } from '@everscan/client/create-client.ts'
import type { Language } from '../words/languages.ts'
import { currentLanguage } from '../words/chosen-language.ts'
import { queries, readUser, saveLanguage } from './api.ts'

/**
 * Tells the service which language the signed-in user reads, for mails. Nothing waits for that: the
 * choice of a page needs no network.
 */
export function tellLanguage(language: Language): void {
  if (readUser() === undefined) return
  saveLanguage(language).then(
    (user) => queries.setQueryData(['me'], user),
    () => undefined,
  )
}

/** Gives an account without a language that of the page, which its user reads. */
export function adoptLanguage({ language }: User): void {
  if (language === null) tellLanguage(currentLanguage())
}
