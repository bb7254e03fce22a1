import { pageLanguages, type PageLanguage } from '@everscan/contract/code-types/page-languages.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en, type Words } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { hi } from './hi.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { ko } from './ko.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import { ru } from './ru.ts'
import { tr } from './tr.ts'
import { zh } from './zh.ts'

const catalogue: Readonly<Record<PageLanguage, Words>> = {
  en,
  de,
  fr,
  es,
  pt,
  it,
  nl,
  pl,
  tr,
  ru,
  ar,
  hi,
  zh,
  ja,
  ko,
}

/** Languages of the texts on pages, as in the attribute `lang`. */
export type Language = PageLanguage

export const languages: readonly Language[] = pageLanguages

/** Returns the texts of a language. */
export function wordsOf(language: Language): Words {
  return catalogue[language]
}

/** Returns the reading direction of a language. */
export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr'
}
