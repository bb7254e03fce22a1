import { limits } from '../schema/limits.ts'
import type { CodeForm } from '../domains/code-forms.ts'
import { isReservedShortCode, shortCodeProblem } from '../resources/short-codes.ts'
import { moveFields, type MoveField, type MoveMapping } from './move-sources.ts'
import type { MovePreviewLink } from './moves.ts'

/** A link of another product, as its export describes it. */
export type MovedLink = {
  shortCode: string
  destination: string
  /** The short code if the link has no title; cut at `limits.nameCharsMax`. */
  title: string
  tags: string[]
  /** Undefined if the file does not say it. */
  createdAtMs: number | undefined
  /** Clicks that the product counted; 0 if the file does not say it. */
  scansBefore: number
}

export type MovedLinkProblem = { field: MoveField; message: string }

/** A row of an export, as it was read. */
export type ReadLink = {
  /** `shortCode` is empty if the code of the row cannot be one here. */
  link: MovedLink
  problems: MovedLinkProblem[]
  /** The short code of the file, also if it cannot be one here. */
  codeInFile: string
}

/** Finds the cells of each field: made once for a file. */
export type MoveCells = Readonly<Record<MoveField, readonly number[]>>

/** Returns the positions of the columns that a mapping names. */
export function moveCells(mapping: MoveMapping, header: readonly string[]): MoveCells {
  const places = moveFields.map(
    (field) => [field, mapping[field].map((name) => header.indexOf(name))] as const,
  )
  return Object.fromEntries(places) as Record<MoveField, number[]>
}

/**
 * Reads a row of an export. The problems are those of the row itself; whether the destination and
 * the tags are valid, the API decides as for any other code. `codes` is the form of short codes on
 * the domain of the move.
 */
export function readMovedLink(
  places: MoveCells,
  cells: readonly string[],
  nowMs: number,
  codes: CodeForm = 'canonical',
): ReadLink {
  const problems: MovedLinkProblem[] = []
  const text = (field: MoveField): string => {
    const cell = places[field].map((index) => plainText(cells[index] ?? '').trim()).find((one) => one !== '')
    if (cell === undefined || cell.length <= limits.importCellBytesMax) return cell ?? ''
    problems.push({ field, message: `must have at most ${limits.importCellBytesMax} characters` })
    return ''
  }
  const known = <T>(field: MoveField, value: T | Problem): T | undefined => {
    if (!(value instanceof Problem)) return value
    problems.push({ field, message: value.message })
    return undefined
  }
  const codeInFile = codeIn(text('shortCode'))
  const shortCode = known('shortCode', readShortCode(codeInFile, codes)) ?? ''
  const link: MovedLink = {
    shortCode,
    destination: text('destination'),
    title: lineOf(text('title')) || lineOf(codeInFile),
    tags: readTags(text('tags')),
    createdAtMs: known('createdAt', readTime(text('createdAt'), nowMs)),
    scansBefore: known('clicks', readCount(text('clicks'))) ?? 0,
  }
  if (link.destination === '' && problems.length === 0)
    problems.push({ field: 'destination', message: 'is empty' })
  return { link, problems, codeInFile }
}

/** Returns a row as a preview shows it. */
export function movePreviewLink(line: number, { link, problems, codeInFile }: ReadLink): MovePreviewLink {
  const { destination, title, tags, createdAtMs, scansBefore } = link
  const createdAt = createdAtMs === undefined ? null : new Date(createdAtMs).toISOString()
  const problem =
    problems.length === 0 ? null : problems.map(({ field, message }) => `${field}: ${message}`).join('; ')
  const shortCode = link.shortCode || shorter(codeInFile)
  return { line, shortCode, destination, title, tags, createdAt, scansBefore, problem }
}

/** Why a cell cannot be taken. */
class Problem {
  readonly message: string

  constructor(message: string) {
    this.message = message
  }
}

/** Removes the apostrophe that spreadsheets write before text which they would calculate. */
function plainText(text: string): string {
  return /^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text
}

/** One line, as names are, and not longer than they may be. */
function lineOf(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return Array.from(line.replace(/\p{Surrogate}/gu, '\uFFFD'))
    .slice(0, limits.nameCharsMax)
    .join('')
    .trim()
}

/** Returns a short code, or the one at the end of a short URL; empty if there is none. */
function codeIn(text: string): string {
  const path = text.replace(/^(https?:)?\/\//i, '')
  const isUrl = path !== text || /^[^/]+\.[^/]+\//.test(text)
  if (isUrl && !path.includes('/')) return ''
  return decoded((isUrl ? path.slice(path.indexOf('/') + 1) : text).replace(/^\/+|\/+$|[?#].*$/g, ''))
}

/** Judges the short code of a row. */
function readShortCode(code: string, codes: CodeForm): string | Problem {
  if (code === '') return new Problem('is empty')
  const problem = shortCodeProblem(code, codes)
  if (problem === undefined) return code
  if (codes === 'exact') return new Problem(`"${shorter(code)}" cannot be a short code: it ${problem}`)
  if (isReservedShortCode(code)) return new Problem(`"${code}" is a path of this service`)
  const { shortCodeCharsMin: min, shortCodeCharsMax: max } = limits
  return new Problem(
    `"${shorter(code)}" cannot be a short code here: it must have ${min} to ${max} letters, digits or "-"`,
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function shorter(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

/** Tags are separated by the first of these that the cell has. A repeated tag is one tag. */
const tagSeparators = ['|', ';', ','] as const

function readTags(text: string): string[] {
  const separator = tagSeparators.find((one) => text.includes(one)) ?? ','
  const tags = text.split(separator).map((tag) => tag.replaceAll(/\s+/g, ' ').trim())
  return [...new Set(tags)].filter((tag) => tag !== '')
}

const zoneless = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?$/
const zoned = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)? ?(Z|UTC|[+-]\d\d:?\d\d)$/i
const inWords = /^(\w{3,9},? )?(\w{3,9} \d{1,2}|\d{1,2} \w{3,9}),? \d{4}( \d{1,2}:\d\d(:\d\d)?( ?[AP]M)?)?$/i

/**
 * Reads a time: ISO 8601, a date with a time as databases write it, a date with the English name of
 * its month, seconds or milliseconds since 1970. Without a zone it is UTC. Undefined for no text.
 */
function readTime(text: string, nowMs: number): number | undefined | Problem {
  if (text === '') return undefined
  const timeMs = timeOf(text)
  if (timeMs === undefined || !Number.isFinite(timeMs))
    return new Problem(
      `"${shorter(text)}" is no date that is read here, such as 2026-01-31 or 2026-01-31T09:30:00Z`,
    )
  if (timeMs < 0 || timeMs > nowMs) return new Problem(`"${shorter(text)}" is before 1970 or in the future`)
  return timeMs
}

function timeOf(text: string): number | undefined {
  if (/^\d{10}$/.test(text)) return Number(text) * 1_000
  if (/^\d{13}$/.test(text)) return Number(text)
  const [isZoneless, date, time = '00:00'] = zoneless.exec(text) ?? []
  if (isZoneless !== undefined) return isDate(date ?? '') ? Date.parse(`${date}T${time}Z`) : undefined
  if (zoned.test(text))
    return isDate(text.slice(0, 10))
      ? Date.parse(text.replace(' ', 'T').replace(/ ?(Z|UTC)$/i, 'Z'))
      : undefined
  return inWords.test(text) ? Date.parse(`${text} UTC`) : undefined
}

/** Whether a date exists: engines read February 30 as a day in March. */
function isDate(date: string): boolean {
  const timeMs = Date.parse(`${date}T00:00:00Z`)
  return Number.isFinite(timeMs) && new Date(timeMs).toISOString().startsWith(date)
}

/** Reads a count, also with separators of thousands. */
function readCount(text: string): number | Problem {
  if (text === '') return 0
  const digits = text.replaceAll(/(?<=\d)[,\s’'](?=\d{3}(\D|$))/gu, '')
  return /^\d{1,15}$/.test(digits) ? Number(digits) : new Problem(`"${shorter(text)}" is no count of clicks`)
}
