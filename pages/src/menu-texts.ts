import { listOf, textOf, type Fields } from '@everscan/contract/schema/fields.ts'
import { html, type Html } from './html.ts'
import { preferredAt, type Reader } from './visitor-language.ts'

/** The languages of a menu, and which of them a visitor reads first. */
export type MenuLanguages = {
  /** Empty: the menu does not say its language. */
  tags: readonly string[]
  chosen: number
}

/** Returns the languages of a menu for a visitor. */
export function menuLanguages(data: Fields, reader: Reader): MenuLanguages {
  const { languages } = data
  const tags = Array.isArray(languages) ? languages.filter((tag) => typeof tag === 'string') : []
  return { tags, chosen: tags.length < 2 ? 0 : preferredAt(tags, reader) }
}

/**
 * Returns a text of a menu in all of its languages. Each is in the page, and the style sheet shows
 * that of the chosen language: a switch by a request would be another scan.
 */
export function menuText(part: Fields, name: string, { tags }: MenuLanguages): Html {
  const own = textOf(part, name)
  const written = tags.slice(1).map((tag) => translationOf(part, name, tag))
  if (written.every((text) => text === '')) return html`${own}`
  const fallback = [0, ...written.flatMap((text, at) => (text === '' ? [at + 1] : []))]
  return html`${own !== '' && textIn(own, tags[0] ?? '', fallback)}${written.map(
    (text, at) => text !== '' && textIn(text, tags[at + 1] ?? '', [at + 1]),
  )}`
}

/** Returns a text in the language that a visitor reads first. */
export function chosenText(part: Fields, name: string, { tags, chosen }: MenuLanguages): string {
  const own = textOf(part, name)
  return chosen === 0 ? own : translationOf(part, name, tags[chosen] ?? '') || own
}

/** Returns whether a text is there in any language. */
export function hasText(part: Fields, name: string): boolean {
  return textOf(part, name) !== '' || listOf(part, 'translations').some((one) => textOf(one, name) !== '')
}

function translationOf(part: Fields, name: string, tag: string): string {
  const found = listOf(part, 'translations').find((one) => textOf(one, 'language') === tag)
  return found === undefined ? '' : textOf(found, name).trim()
}

function textIn(text: string, tag: string, shownFor: readonly number[]): Html {
  const classes = shownFor.map((at) => `l${at}`).join(' ')
  return html`<span class="l ${classes}" lang="${tag}" dir="${directionOfTag(tag)}">${text}</span>`
}

const fromRight: ReadonlySet<string> = new Set(['ar', 'fa', 'he', 'ur', 'ps', 'sd', 'ug', 'yi', 'dv', 'ckb'])

/** Returns the direction of the usual script of a language. */
export function directionOfTag(tag: string): 'ltr' | 'rtl' {
  return fromRight.has(tag.toLowerCase().split('-', 1)[0] ?? '') ? 'rtl' : 'ltr'
}

/** Returns the name of a language in that language, with a capital letter where it has any. */
export function nameOfTag(tag: string): string {
  let name = tag
  try {
    name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  } catch {
    // A tag of the right form may still be none.
  }
  return name.charAt(0).toUpperCase() + name.slice(1)
}
