import { languages, type Language } from './languages/languages.ts'

/** What a visitor reads. */
export type Reader = {
  /** Of our own words. */
  language: Language
  /** Of numbers: the visitor's first wish, as `Intl` names it, also where we have no words in it. */
  locale: string
}

const tagsMax = 20
const defaultLanguage: Language = 'en'

/**
 * The language for our own words, by an `Accept-Language` (RFC 9110, 12.5.4): the most wanted one that we have, by its first
 * part, so that `de-CH` gets German. The first of equals wins; a part that says nothing is passed over.
 */
export function readAcceptLanguage(header: string): Reader {
  const [wanted] = header.split(',', 1)
  // Almost always the first one is the most wanted one, and we have it.
  const quick = languageOf(wanted ?? '')
  if (quick !== undefined) return { language: quick, locale: localeOf(wanted ?? '') ?? quick }
  const wishes = header.split(',', tagsMax).map(readWish)
  wishes.sort((one, other) => other.weight - one.weight)
  const liked = wishes.filter(({ weight }) => weight > 0)
  const language = liked.flatMap(({ tag }) => languageOf(tag) ?? [])[0] ?? defaultLanguage
  return { language, locale: liked.flatMap(({ tag }) => localeOf(tag) ?? [])[0] ?? language }
}

function readWish(wish: string): { tag: string; weight: number } {
  const [tag = '', ...parameters] = wish.split(';')
  const quality = parameters.map((one) => /^\s*q\s*=\s*([01](?:\.[0-9]{0,3})?)\s*$/i.exec(one)?.[1])
  const said = quality.find((one) => one !== undefined)
  return { tag, weight: said === undefined ? (parameters.length > 0 ? 0 : 1) : Number(said) }
}

/** The language that we have of a tag without parameters: `zh-Hans-CN` → `zh`. */
function languageOf(tag: string): Language | undefined {
  const [first = ''] = tag.trim().split('-', 1)
  return languages.find((language) => language === first.toLowerCase())
}

/** A tag of the forms `pl` and `pl-PL` that `Intl` knows: others are rare, and each is a page of its own in memory. */
function localeOf(tag: string): string | undefined {
  const match = /^([a-z]{2,3})(?:-([a-z]{2}))?$/i.exec(tag.trim())
  if (match?.[1] === undefined) return undefined
  const language = match[1].toLowerCase()
  const locale = match[2] === undefined ? language : `${language}-${match[2].toUpperCase()}`
  return Intl.NumberFormat.supportedLocalesOf(locale).length > 0 ? locale : undefined
}
