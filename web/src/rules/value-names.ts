import { countries } from '@everscan/contract/schema/countries.ts'
import { formatCountry } from '../ui/format.ts'
import type { ValueNames } from './rule-sentences.ts'
import { currentLocale } from '../words/chosen-language.ts'

const languages = new Intl.DisplayNames(currentLocale(), { type: 'language' })
const moments = new Intl.DateTimeFormat(currentLocale(), { dateStyle: 'medium', timeStyle: 'short' })

/** Names of values in the language of this browser. What cannot be read stays as it was typed. */
export const valueNames: ValueNames = {
  country: (code) => formatCountry(code) ?? code,
  language: (tag) => {
    try {
      return languages.of(tag) ?? tag
    } catch {
      return tag
    }
  },
  moment: (iso) => {
    const ms = Date.parse(iso)
    return Number.isNaN(ms) ? iso : moments.format(ms)
  },
}

/** A value that a field offers, and its name. */
export type NamedValue = readonly [value: string, name: string]

const byName = new Intl.Collator(currentLocale())
const named = (values: readonly string[], name: (value: string) => string): NamedValue[] =>
  values.map((value) => [value, name(value)] as const).toSorted(([, a], [, b]) => byName.compare(a, b))

export const countryValues = named([...countries], valueNames.country)

/** Languages that visitors of codes mostly read. Others can be typed as tags. */
export const languageValues = named(
  (
    'ar bg bn bs ca cs da de el en es et fa fi fil fr ga he hi hr hu id is it ja ka ko lt lv mk ms mt ' +
    'nb nl pl pt ro ru sk sl sq sr sv sw ta te th tr uk ur vi zh'
  ).split(' '),
  valueNames.language,
)
