import { problem } from '../problems/local-problem.ts'
import type { Problem } from '../problems/problem.ts'
import { limits } from '../schema/limits.ts'
import type { CodeForm } from '../domains/code-forms.ts'
import { isReservedShortCode, shortCodeProblem } from '../resources/short-codes.ts'
import { codeIn, lineOf, plainText, readTime, shorter } from './cell-texts.ts'
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

export type MovedLinkProblem = { field: MoveField } & Problem

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
    problems.push({ field, ...problem('longerThan', { max: limits.importCellBytesMax }) })
    return ''
  }
  const known = <T extends string | number>(
    field: MoveField,
    value: T | Problem | undefined,
  ): T | undefined => {
    if (typeof value !== 'object') return value
    problems.push({ field, ...value })
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
    problems.push({ field: 'destination', ...problem('cellEmpty') })
  return { link, problems, codeInFile }
}

/** Returns a row as a preview shows it. */
export function movePreviewLink(line: number, { link, problems, codeInFile }: ReadLink): MovePreviewLink {
  const { destination, title, tags, createdAtMs, scansBefore } = link
  const createdAt = createdAtMs === undefined ? null : new Date(createdAtMs).toISOString()
  const sentence =
    problems.length === 0 ? null : problems.map(({ field, message }) => `${field}: ${message}`).join('; ')
  const shortCode = link.shortCode || shorter(codeInFile)
  const details = problems.map(({ field, ...found }) => ({ path: field, ...found }))
  return { line, shortCode, destination, title, tags, createdAt, scansBefore, problem: sentence, details }
}

/** Judges the short code of a row. */
function readShortCode(code: string, codes: CodeForm): string | Problem {
  if (code === '') return problem('cellEmpty')
  const found = shortCodeProblem(code, codes)
  if (found === undefined) return code
  if (found.problem === 'shortCodeOfEveryHost') return problem('codeOfEveryHost', { code })
  if (codes === 'exact') return problem('codeNotExact', { code: shorter(code) })
  if (isReservedShortCode(code)) return problem('codeOfService', { code })
  const { shortCodeCharsMin: min, shortCodeCharsMax: max } = limits
  return problem('codeFormHere', { code: shorter(code), min, max })
}

/** Tags are separated by the first of these that the cell has. A repeated tag is one tag. */
const tagSeparators = ['|', ';', ','] as const

function readTags(text: string): string[] {
  const separator = tagSeparators.find((one) => text.includes(one)) ?? ','
  const tags = text.split(separator).map((tag) => tag.replaceAll(/\s+/g, ' ').trim())
  return [...new Set(tags)].filter((tag) => tag !== '')
}

/** Reads a count, also with separators of thousands. */
function readCount(text: string): number | Problem {
  if (text === '') return 0
  const digits = text.replaceAll(/(?<=\d)[,\s’'](?=\d{3}(\D|$))/gu, '')
  return /^\d{1,15}$/.test(digits) ? Number(digits) : problem('notCount', { text: shorter(text) })
}
