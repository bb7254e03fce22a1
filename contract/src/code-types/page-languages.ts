/**
 * Languages of our own words on pages for phones, as in the attribute `lang`. Each has words for
 * everything: one that lacks a word does not compile.
 */
export const pageLanguages = [
  'en',
  'de',
  'fr',
  'es',
  'pt',
  'it',
  'nl',
  'pl',
  'tr',
  'ru',
  'ar',
  'hi',
  'zh',
  'ja',
  'ko',
] as const
export type PageLanguage = (typeof pageLanguages)[number]
