import type { User } from '@everscan/client/create-client.ts'
import type { Language } from '../words/languages.ts'
import { readChosenLanguage } from '../words/show-language.ts'
import { queries, readUser, saveLanguage } from './api.ts'

/**
 * Tells the service which language the signed-in user chose, for mails. Nothing waits for that: the
 * choice of a page needs no network.
 */
export function tellLanguage(language: Language): void {
  if (readUser() === undefined) return
  saveLanguage(language).then(
    (user) => queries.setQueryData(['me'], user),
    () => undefined,
  )
}

/** Gives an account without a language the one that its user chose in this browser. */
export function adoptLanguage({ language }: User): void {
  const chosen = readChosenLanguage()
  if (language === null && chosen !== undefined) tellLanguage(chosen)
}
