import { iso31662 } from 'iso-3166'
import { cached } from '../string-cache.ts'
import { englishNames } from './region-names.ts'

/**
 * Returns the ISO 3166-2 code of a region that a geography database names in English. Undefined if
 * the name is none, or could be that of several regions.
 */
export function regionCode(country: string, name: string): string | undefined {
  return name === '' ? undefined : (codeOf(`${country}${name}`) ?? undefined)
}

type Names = { byName: ReadonlyMap<string, string>; folded: readonly (readonly [string, string])[] }

let countries: ReadonlyMap<string, Names> | undefined

const codeOf = cached((text): string | null => {
  countries ??= readNames()
  const names = countries.get(text.slice(0, 2))
  const wanted = fold(text.slice(2))
  const exact = names?.byName.get(wanted)
  if (exact !== undefined || names === undefined || wanted.length < 4) return exact ?? null
  // "Stockholm" is "Stockholms län", and "Anhui" is "Anhui Sheng".
  const begun = names.folded.filter(([name]) => name.startsWith(wanted) || wanted.startsWith(name))
  const found = new Set(begun.map(([, code]) => code))
  return found.size === 1 ? (begun[0]?.[1] ?? null) : null
})

function readNames(): ReadonlyMap<string, Names> {
  const entries = iso31662.flatMap(({ code, name, parent }) =>
    [
      name.replaceAll(/\[.*?\]|\(.*?\)/g, ' '),
      ...Array.from(name.matchAll(/\[(.*?)\]/g), (one) => one[1] ?? ''),
    ]
      .map((one) => ({ code, name: fold(one), isTop: parent.length === 2 }))
      .filter((one) => one.name !== ''),
  )
  const english = Object.entries(englishNames).flatMap(([country, list]) =>
    list.split('; ').flatMap((entry) => {
      const [code = '', ...words] = entry.split(' ')
      const names = words.join(' ').split(', ')
      return names.map((name) => ({ code: `${country}-${code}`, name: fold(name), isTop: true }))
    }),
  )
  // A region of the first level takes precedence, and so does its English name.
  const all = [...english, ...entries.filter(({ isTop }) => isTop), ...entries.filter(({ isTop }) => !isTop)]
  const grouped = Map.groupBy(all, ({ code }) => code.slice(0, 2))
  return new Map(
    [...grouped].map(([country, regions]) => {
      const byName = new Map(regions.toReversed().map(({ name, code }) => [name, code]))
      return [
        country,
        {
          byName,
          folded: regions.filter(({ isTop }) => isTop).map(({ name, code }) => [name, code] as const),
        },
      ]
    }),
  )
}

/** Returns a name without accents, punctuation and words for the kind of region. */
function fold(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll(kinds, ' ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

const kinds =
  /\b(?:state|province|region|governorate|prefecture|county|canton|district|division|department|municipality|voivodeship|republic|oblast|krai|kray|autonomous|community|special|administrative|of|the|and)\b/g
