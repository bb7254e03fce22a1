import { wishesOf } from './accept-language.ts'
import { languages, type Language } from './languages/languages.ts'

/** Language and locale of a visitor. */
export type Reader = {
  /** Language of the texts on pages. */
  language: Language
  /**
   * Locale of numbers: the visitor's first preference that `Intl` knows, even if no texts exist in
   * it.
   */
  locale: string
  /** Wishes of the visitor: an `Accept-Language` header. Absent: the locale. */
  wanted?: string
}

const defaultLanguage: Language = 'en'

/**
 * Returns the language and locale for an `Accept-Language` header (RFC 9110, 12.5.4). The language
 * is the most preferred available one, matched by its first part, so `de-CH` gets German. The first
 * of equals wins. Entries that cannot be read are skipped.
 */
export function readAcceptLanguage(header: string): Reader {
  const [wanted] = header.split(',', 1)
  // The first entry is almost always the preferred one and available.
  const quick = languageOf(wanted ?? '')
  if (quick !== undefined) return { language: quick, locale: localeOf(wanted ?? '') ?? quick }
  const liked = wishesOf(header)
  const language = liked.flatMap(({ tag }) => languageOf(tag) ?? [])[0] ?? defaultLanguage
  return { language, locale: liked.flatMap(({ tag }) => localeOf(tag) ?? [])[0] ?? language }
}

/**
 * Returns which of some languages a visitor prefers, as its place among them. For each wish, a tag
 * that is the same comes before one of the same language (`de-AT` for `de`); without any match, the
 * first language is the one.
 */
export function preferredAt(tags: readonly string[], { wanted, locale }: Reader): number {
  const offered = tags.map((tag) => tag.toLowerCase())
  for (const { tag } of wishesOf(wanted ?? locale)) {
    const wish = tag.trim().toLowerCase()
    const same = offered.indexOf(wish)
    const at = same < 0 ? offered.findIndex((one) => firstOf(one) === firstOf(wish)) : same
    if (at >= 0) return at
  }
  return 0
}

const firstOf = (tag: string): string => tag.split('-', 1)[0] ?? ''

/** Returns the available language of a tag without parameters: `zh-Hans-CN` → `zh`. */
function languageOf(tag: string): Language | undefined {
  const [first = ''] = tag.trim().split('-', 1)
  return languages.find((language) => language === first.toLowerCase())
}

/**
 * Returns a tag of the form `pl` or `pl-PL` that `Intl` knows. Other forms are rare, and each would
 * be a separate page in memory.
 */
function localeOf(tag: string): string | undefined {
  const match = /^([a-z]{2,3})(?:-([a-z]{2}))?$/i.exec(tag.trim())
  if (match?.[1] === undefined) return undefined
  const language = match[1].toLowerCase()
  const locale = match[2] === undefined ? language : `${language}-${match[2].toUpperCase()}`
  return Intl.NumberFormat.supportedLocalesOf(locale).length > 0 ? locale : undefined
}
