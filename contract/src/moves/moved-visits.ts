import { problem } from '../problems/local-problem.ts'
import type { Problem } from '../problems/problem.ts'
import { countries } from '../schema/countries.ts'
import { limits } from '../schema/limits.ts'
import { codeIn, lineOf, plainText, readTime, shorter } from './cell-texts.ts'
import { folded } from './move-sources.ts'

/** A visit that another product recorded. No address of a visitor is read. */
export type MovedVisit = {
  /** The short code, as the file has it. */
  code: string
  timeMs: number
  userAgent?: string
  /** The host of the referrer. */
  referrer?: string
  /** ISO 3166-1 alpha-2. */
  country?: string
  region?: string
  city?: string
  /** Whether the product says that it was a bot. */
  isBot?: true
}

export const visitFields = [
  'code',
  'time',
  'userAgent',
  'referrer',
  'country',
  'region',
  'city',
  'bot',
] as const
export type VisitField = (typeof visitFields)[number]

/** Names of columns, folded, the most exact ones first. */
const names: Readonly<Record<VisitField, readonly string[]>> = {
  code: ['shortcode', 'keyword', 'shorturl', 'shortlink', 'slug', 'visitedurl'],
  time: ['clicktime', 'visitedat', 'datetime', 'timestamp', 'date', 'time', 'createdat'],
  userAgent: ['useragent', 'agent'],
  referrer: ['referer', 'referrer'],
  country: ['countrycode', 'visitlocationcountrycode', 'country', 'countryname', 'visitlocationcountryname'],
  region: ['region', 'regionname', 'visitlocationregionname'],
  city: ['city', 'cityname', 'visitlocationcityname'],
  bot: ['potentialbot', 'isbot', 'bot'],
}

/** Positions of the columns of each field: made once for a file. */
export type VisitCells = Readonly<Record<VisitField, readonly number[]>>

/** Recognizes the columns of a file of visits by their names. */
export function visitCells(header: readonly string[]): VisitCells {
  const columns = header.map(folded)
  const places = visitFields.map(
    (field) => [field, names[field].map((name) => columns.indexOf(name)).filter((at) => at >= 0)] as const,
  )
  return Object.fromEntries(places) as Record<VisitField, number[]>
}

/** Returns the names of the columns that `visitCells` recognized in a header. */
export function visitColumns(places: VisitCells, header: readonly string[]): Record<VisitField, string[]> {
  const entries = visitFields.map((field) => [field, places[field].map((at) => header[at] ?? '')])
  return Object.fromEntries(entries) as Record<VisitField, string[]>
}

/** Returns why no visit of a file can be read, or undefined. */
export function visitColumnsProblem({ code, time }: VisitCells): Problem | undefined {
  if (code.length === 0) return problem('visitsWithoutCodes')
  return time.length === 0 ? problem('visitsWithoutTimes') : undefined
}

/** No product recorded visits before; a clock that was never set reports 1970. */
const timeMsMin = Date.UTC(2000, 0)
const textCharsMax = 100
const userAgentCharsMax = 512

/** Reads a row of a file of visits, or says why it is no visit up to `nowMs`. */
export function readMovedVisit(
  places: VisitCells,
  cells: readonly string[],
  nowMs: number,
): MovedVisit | Problem {
  const text = (field: VisitField): string =>
    places[field].map((index) => plainText(cells[index] ?? '').trim()).find((one) => one !== '') ?? ''
  const code = codeIn(text('code').slice(0, limits.importCellBytesMax))
  if (code === '') return problem('visitWithoutCode')
  const written = text('time')
  const timeMs = readTime(written, nowMs)
  if (timeMs === undefined) return problem('visitWithoutTime')
  if (typeof timeMs === 'object') return timeMs
  if (timeMs < timeMsMin) return problem('timeBefore2000', { text: shorter(written) })
  const known = {
    userAgent: lineOf(text('userAgent'), userAgentCharsMax),
    referrer: hostIn(text('referrer')),
    country: countryIn(text('country')),
    region: placeIn(text('region')),
    city: placeIn(text('city')),
  }
  const given = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== ''))
  const isBot = /^(1|true|yes)$/i.test(text('bot'))
  return { code, timeMs, ...given, ...(isBot && { isBot }) }
}

/** Products write the address of the page, its host, or a word such as "direct". */
function hostIn(referrer: string): string {
  const host = /^(?:[a-z][a-z0-9+.-]*:)?\/\/(?:[^/?#@]*@)?([^/?#]*)/i.exec(referrer)?.[1] ?? referrer
  return /^[\w.-]+\.\w+(:\d+)?$/.test(host) ? host.toLowerCase().slice(0, 255) : ''
}

function placeIn(text: string): string {
  const line = lineOf(text, textCharsMax)
  return /^unknown$/i.test(line) ? '' : line
}

/** Names of products that differ from those of the Unicode consortium, folded. */
const otherNames: Readonly<Record<string, string>> = {
  congorepublic: 'CG',
  czechrepublic: 'CZ',
  drcongo: 'CD',
  federatedstatesofmicronesia: 'FM',
  hongkong: 'HK',
  ivorycoast: 'CI',
  macao: 'MO',
  macau: 'MO',
  myanmar: 'MM',
  palestine: 'PS',
  caboverde: 'CV',
  thenetherlands: 'NL',
  turkey: 'TR',
  aland: 'AX',
}

let codesByName: ReadonlyMap<string, string> | undefined

/** Returns the code of a country that is written as a code or by its English name. */
function countryIn(text: string): string {
  const code = text.toUpperCase()
  if (countries.has(code)) return code
  codesByName ??= namesOfCountries()
  return codesByName.get(foldedName(text)) ?? ''
}

function namesOfCountries(): Map<string, string> {
  const english = new Intl.DisplayNames(['en'], { type: 'region' })
  const named = [...countries].map((code) => [foldedName(english.of(code) ?? ''), code] as const)
  return new Map([...named, ...Object.entries(otherNames)])
}

function foldedName(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll('&', 'and')
    .replace(/^saint\b/, 'st')
    .replaceAll(/[^a-z]/g, '')
}
