import { ar } from './ar.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { hi } from './hi.ts'
import { ja } from './ja.ts'
import { pt } from './pt.ts'
import { zh } from './zh.ts'
import type { Words } from '../words.ts'

const catalogue = { en, de, fr, es, pt, ar, hi, zh, ja } satisfies Record<string, Words>

/** The languages that our words are in, as `lang` has them. */
export type Language = keyof typeof catalogue

export const languages = Object.keys(catalogue) as readonly Language[]

/** Our words in a language. */
export function wordsOf(language: Language): Words {
  return catalogue[language]
}

/** The direction in which a language is read. */
export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr'
}
