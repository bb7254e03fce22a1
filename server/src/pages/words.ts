import { ar } from './languages/ar.ts'
import { de } from './languages/de.ts'
import { en } from './languages/en.ts'
import { es } from './languages/es.ts'
import { fr } from './languages/fr.ts'
import { hi } from './languages/hi.ts'
import { ja } from './languages/ja.ts'
import { pt } from './languages/pt.ts'
import { zh } from './languages/zh.ts'

/** Our own words on pages, by what they are for. A language that lacks one does not compile. */
export type Words = {
  contact: {
    save: string
    call: string
    mail: string
    website: string
    address: string
    note: string
  }
  wifi: {
    title: string
    network: string
    password: string
    open: string
    hidden: string
    copy: string
    copied: string
    touch: string
    picture: string
  }
  mail: { title: string; action: string; to: string; subject: string; message: string }
  sms: { title: string; action: string; to: string; message: string }
  phone: { title: string; action: string }
  menu: { sections: string }
  social: { follow: string }
  app: { get: string; ios: string; android: string }
  badLink: { title: string; text: string }
  unknown: { title: string; text: string }
  gone: { title: string; text: string }
  later: { title: string; text: string }
  method: { title: string; text: string }
}

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
