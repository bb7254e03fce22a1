import type { Language } from './languages.ts'

/**
 * The type of the same words in any language: texts, functions with the same parameters that return
 * texts, and lists and records of them with the same names and lengths.
 */
export type Wording<Words> = Words extends (...given: infer Given) => string
  ? (...given: Given) => string
  : Words extends string
    ? string
    : { readonly [Name in keyof Words]: Wording<Words[Name]> }

/** Words of a language by the name of their export. */
type Areas = Readonly<Record<string, unknown>>

type Chosen = {
  language: Language
  /** Locale of numbers, dates and lists. */
  locale: string
  /** Undefined for English, whose words are part of the pages. */
  areas?: Areas | undefined
}

let chosen: Chosen = { language: 'en', locale: 'en' }

/**
 * Sets the language. Words and formats are fixed when their modules are evaluated, so this comes
 * before any of them is loaded. Another language needs a fresh page.
 */
export function setLanguage(next: Chosen): void {
  chosen = next
}

/** Adds the words of more areas, before their pages are loaded. */
export function addAreas(areas: Areas): void {
  chosen = { ...chosen, areas: { ...chosen.areas, ...areas } }
}

/** Returns the language of the words on this page. */
export const currentLanguage = (): Language => chosen.language

/** Returns the locale of numbers, dates, lists and plurals on this page. */
export const currentLocale = (): string => chosen.locale

/** Returns the words of an area in the chosen language. `name` is that of the export. */
export function inLanguage<const English>(name: string, english: English): Wording<English> {
  return (chosen.areas?.[name] ?? english) as Wording<English>
}
