import type { Allergen, Diet } from '@everscan/contract/code-types/menu-marks.ts'

/** Texts of a part of a menu in another language. */
export type Translation = { language: string; [field: string]: string | undefined }
/** A part of a menu whose texts may be there in other languages. */
export type Translated = { translations?: readonly Translation[] | undefined }

/** A dish as it is edited. A price may still be a text that is no number. */
export type Dish = Translated & {
  name: string
  description?: string | undefined
  price?: number | string | undefined
  currency?: string | undefined
  diets?: readonly Diet[] | undefined
  allergens?: readonly Allergen[] | undefined
}
export type MenuSection = Translated & { name: string; items: Dish[] }

/** A menu read from a text, and the currency that most of its prices have, if any. */
export type ReadMenu = { sections: MenuSection[]; currency: string | undefined }

const signs: Readonly<Record<string, string>> = {
  '€': 'EUR',
  $: 'USD',
  '£': 'GBP',
  '¥': 'JPY',
  '₹': 'INR',
  '₺': 'TRY',
  '₽': 'RUB',
}
const codes = ['EUR', 'USD', 'GBP', 'CHF', 'JPY', 'CAD', 'AUD', 'SEK', 'NOK', 'DKK', 'PLN', 'CZK', 'HUF']
const currency = String.raw`(?:[${Object.keys(signs).join('')}]|${codes.join('|')})`
/** 12, 12.50, 12,50, 1.200,00, or 12,- as it is printed. */
const amount = String.raw`\d{1,3}(?:[.,\u00a0 ]\d{3})*(?:[.,](?:\d{1,2}|[-–—]))?|\d+(?:[.,](?:\d{1,2}|[-–—]))?`
const priceForm = new RegExp(String.raw`^(${currency})?\s*(${amount})\s*(${currency})?$`, 'i')
/** A price at the end of a line, after a space, dots or a dash. */
const endForm = new RegExp(
  String.raw`^(.*?\S)(?:\s*[.…·_]{2,}\s*|\s+[-–—]\s+|\s+)((?:${currency})?\s*(?:${amount})\s*(?:${currency})?)$`,
  'iu',
)
/** A dish and its description in one line, with a dash between them. */
const dashForm = /^(.{2,80}?)\s+[-–—|]\s+(.+)$/u
const bullet = /^\s*[-*•‣·]\s+/u
const headingLettersMax = 60

/**
 * Reads a menu from a text as people paste it: cells of a spreadsheet, lines of CSV, or lines of a
 * document with prices at their ends. Lines without a price are sections before dishes, and
 * descriptions after one.
 */
export function readMenuList(text: string): ReadMenu {
  const lines = text.replaceAll('\u00a0', ' ').split(/\r\n|\n|\r/)
  const separator = separatorOf(lines)
  const sections = separator === undefined ? readLines(lines) : readCells(lines, separator)
  return {
    sections: sections.filter(({ name, items }) => name !== '' || items.length > 0),
    currency: mostFrequent(sections.flatMap(({ items }) => items.flatMap((dish) => dish.currency ?? []))),
  }
}

/** Reads a price such as "12,50 €". Returns undefined for a text that is none. */
export function readPrice(text: string): { price: number; currency: string | undefined } | undefined {
  const [, before, digits = '', after] = priceForm.exec(text.trim()) ?? []
  if (digits === '') return undefined
  const decimals = /[.,](\d{1,2}|[-–—])$/.exec(digits)?.[1] ?? ''
  const whole = decimals === '' ? digits : digits.slice(0, -decimals.length - 1)
  const price = Number(`${whole.replaceAll(/\D/g, '')}.${/^\d+$/.test(decimals) ? decimals : '0'}`)
  const sign = (before ?? after)?.toUpperCase()
  return { price, currency: sign === undefined ? undefined : (signs[sign] ?? sign) }
}

/** A tab is in cells of a spreadsheet only; a semicolon is one if most lines have as many. */
function separatorOf(lines: readonly string[]): string | undefined {
  const written = lines.filter((line) => line.trim() !== '')
  return ['\t', ';', '|'].find((one) => {
    const counts = written.map((line) => line.split(one).length)
    return counts.filter((count) => count > 1).length > written.length / 2
  })
}

/** Column names that people give to dishes and prices, in the languages of our pages. */
const headerWords = /^(section|category|dish|name|item|price|preis|gericht|name|plat|prix|plato|precio)$/i

function readCells(lines: readonly string[], separator: string): MenuSection[] {
  const rows = lines
    .map((line) => line.split(separator).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1')))
    .filter((cells) => cells.some((cell) => cell !== ''))
  const body = rows[0]?.some((cell) => headerWords.test(cell)) === true ? rows.slice(1) : rows
  const width = Math.max(...body.map((cells) => cells.findLastIndex((cell) => cell !== '') + 1), 0)
  // With four columns, the first is the section.
  const hasSections = width >= 4
  const sections: MenuSection[] = []
  for (const cells of body) {
    const written = cells.filter((cell) => cell !== '')
    const at = cells.findLastIndex((cell) => readPrice(cell) !== undefined)
    const price = readPrice(cells[at] ?? '')
    const [only = ''] = written
    if (written.length === 1 && price === undefined) {
      sections.push({ name: headingOf(only), items: [] })
      continue
    }
    const texts = cells.filter((cell, place) => place !== at && (hasSections || cell !== ''))
    const section = hasSections ? (texts[0] ?? '') : undefined
    const [name = '', ...more] = hasSections ? texts.slice(1).filter((cell) => cell !== '') : texts
    if (section !== undefined && section !== '' && sections.at(-1)?.name !== section)
      sections.push({ name: section, items: [] })
    addDish(sections, { name, description: more.join(' · '), ...price })
  }
  return sections
}

function readLines(lines: readonly string[]): MenuSection[] {
  // Without any price, it is a list of dishes, one a line.
  const hasPrices = lines.some((line) => endForm.test(line.trim()) || readPrice(line) !== undefined)
  const sections: MenuSection[] = []
  let isAfterGap = true
  let isAfterDish = false
  for (const line of lines) {
    const written = line.replace(bullet, '').trim()
    if (written === '') {
      isAfterGap = true
      continue
    }
    const [, label = written, end] = endForm.exec(written) ?? []
    const price = end === undefined ? undefined : readPrice(end)
    const standsAlone = readPrice(written)
    const last = sections.at(-1)?.items.at(-1)
    if (standsAlone !== undefined && isAfterDish && last?.price === undefined && last !== undefined)
      Object.assign(last, standsAlone)
    else if (price !== undefined) addDish(sections, { ...partsOf(label), ...price })
    else if (isHeading(line, { isAfterGap: isAfterGap && hasPrices }))
      sections.push({ name: headingOf(written), items: [] })
    else if (hasPrices && isAfterDish && !isAfterGap && last !== undefined)
      last.description = [last.description, written].filter(Boolean).join(' ')
    else addDish(sections, partsOf(written))
    isAfterDish = sections.at(-1)?.items.length !== 0
    isAfterGap = false
  }
  return sections
}

function isHeading(line: string, { isAfterGap }: { isAfterGap: boolean }): boolean {
  const text = line.trim()
  if (bullet.test(line) || text.length > headingLettersMax || /[.,!?]$/.test(text)) return false
  if (/^#+\s/.test(text) || text.endsWith(':')) return true
  const isUpper = /\p{Lu}/u.test(text) && text === text.toUpperCase()
  return isUpper || (isAfterGap && dashForm.exec(text) === null)
}

function headingOf(text: string): string {
  const plain = text
    .replace(/^#+\s*/, '')
    .replace(/:$/, '')
    .trim()
  // A heading in capitals is easier to read as people write it.
  return plain === plain.toUpperCase() && plain.length > 3
    ? plain.charAt(0) + plain.slice(1).toLowerCase()
    : plain
}

function partsOf(label: string): Dish {
  const [, name, description] = dashForm.exec(label) ?? []
  return name === undefined ? { name: label.trim() } : { name: name.trim(), description }
}

function addDish(sections: MenuSection[], { description, ...dish }: Dish): void {
  if (sections.length === 0) sections.push({ name: '', items: [] })
  sections.at(-1)?.items.push({ ...dish, ...(description ? { description } : {}) })
}

function mostFrequent(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0]
}
