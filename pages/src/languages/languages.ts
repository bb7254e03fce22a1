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

/** Languages of the texts on pages, as in the attribute `lang`. */
export type Language = keyof typeof catalogue

export const languages = Object.keys(catalogue) as readonly Language[]

/** Returns the texts of a language. */
export function wordsOf(language: Language): Words {
  return catalogue[language]
}

/** Returns the reading direction of a language. */
export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr'
}
