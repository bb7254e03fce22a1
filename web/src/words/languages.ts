import { dashboardLanguages, type DashboardLanguage } from '@everscan/contract/schema/dashboard-languages.ts'

export const languages = dashboardLanguages
export type Language = DashboardLanguage

/** Names of the languages, each in itself, so that its readers find it. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
}

/**
 * Returns the first preference of a browser (BCP 47 tags) that the dashboard has, matched by its
 * first part: `de-AT` gets German. English, if there is none.
 */
export function preferredLanguage(tags: readonly string[]): Language {
  const firsts = tags.map((tag) => tag.split('-', 1)[0]?.toLowerCase())
  return firsts.flatMap((first) => languages.find((language) => language === first) ?? [])[0] ?? 'en'
}

/**
 * Returns the locale of numbers and dates. The browser's own one if it is of this language, such as
 * `de-AT`. Otherwise the language with the region of the browser: numbers of an English dashboard
 * in Sweden are not American.
 */
export function localeOf(language: Language, tags: readonly string[]): string {
  const own = tags.find((tag) => tag.split('-', 1)[0]?.toLowerCase() === language)
  const [first = ''] = tags
  const region = /-([a-z]{2})$/i.exec(first)?.[1]
  const wanted = own ?? (region === undefined ? language : `${language}-${region.toUpperCase()}`)
  try {
    return Intl.getCanonicalLocales(wanted)[0] ?? language
  } catch {
    return language
  }
}
