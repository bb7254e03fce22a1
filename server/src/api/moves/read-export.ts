import { limits } from '@everscan/contract/schema/limits.ts'
import { ApiError } from '../../errors.ts'
import { readCsv } from '../http/bodies/read-csv.ts'
import { fileError } from '../http/request-errors.ts'

/** A row of an export with the line on which it begins; of JSON, the number of the link. */
export type ExportRow = { line: number; cells: string[] }

/**
 * Reads an export: CSV, or JSON as the API of a product writes it. The first row names the columns.
 * Throws ApiError 400 for a file that is neither, and 413 for JSON that is too large, because it is
 * in memory as a whole.
 */
export async function* readExport(text: AsyncIterable<string>): AsyncGenerator<ExportRow, void, undefined> {
  const chunks = text[Symbol.asyncIterator]()
  let head = ''
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
    head += next.value
    if (head.trim() !== '') break
  }
  const rest: AsyncIterable<string> = { [Symbol.asyncIterator]: () => chunks }
  if (/^\s*[[{]/.test(head)) yield* jsonRows(await wholeText(head, rest))
  else yield* readCsv(joined(head, rest))
}

async function* joined(head: string, rest: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  yield head
  yield* rest
}

async function wholeText(head: string, rest: AsyncIterable<string>): Promise<string> {
  const parts = [head]
  let chars = head.length
  for await (const part of rest) {
    parts.push(part)
    chars += part.length
    if (chars > limits.moveJsonBytesMax) throw tooLarge()
  }
  return parts.join('')
}

function tooLarge(): ApiError {
  const megabytes = limits.moveJsonBytesMax / 1024 ** 2
  return new ApiError(
    413,
    'PAYLOAD_TOO_LARGE',
    `A file of JSON may have at most ${megabytes} MB. Split it, or export the links as CSV.`,
  )
}

type Entry = Readonly<Record<string, unknown>>

function* jsonRows(text: string): Generator<ExportRow, void, undefined> {
  const links = linksIn(parsed(text))
  if (links === undefined) throw fileError('has no list of links')
  const entries = links.map((link) => new Map(flatCells(link)))
  const header = [...new Set(entries.flatMap((entry) => [...entry.keys()]))]
  yield { line: 1, cells: header }
  for (const [index, entry] of entries.entries())
    yield { line: index + 1, cells: header.map((name) => entry.get(name) ?? '') }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ApiError(400, 'VALIDATION_ERROR', 'file: cannot be read as JSON', {
      cause,
      details: [{ path: 'file', message: 'cannot be read as JSON' }],
    })
  }
}

const depthMax = 3

/**
 * Finds the links: the first list of objects, at most three levels deep. An object of objects with
 * numbered names is a list too.
 */
function linksIn(value: unknown, depth = 0): Entry[] | undefined {
  if (Array.isArray(value)) return value.every(isEntry) ? value : undefined
  if (!isEntry(value) || depth >= depthMax) return undefined
  const values = Object.values(value)
  const names = Object.keys(value)
  if (names.length > 0 && names.every((name) => /^\w+_\d+$/.test(name)) && values.every(isEntry))
    return values
  for (const one of values) {
    const found = linksIn(one, depth + 1)
    if (found !== undefined && found.length > 0) return found
  }
  return undefined
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the cells of a link: texts of its own, and of objects in it as `object.name`. */
function flatCells(link: Entry): [string, string][] {
  return Object.entries(link).flatMap(([name, value]): [string, string][] => {
    if (isEntry(value))
      return Object.entries(value).flatMap(([inner, one]): [string, string][] =>
        isPlain(one) ? [[`${name}.${inner}`, String(one)]] : [],
      )
    if (Array.isArray(value)) return [[name, value.flatMap(nameOf).join('|')]]
    return isPlain(value) ? [[name, String(value)]] : []
  })
}

/** A tag is a text, or an object with a name. */
function nameOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  const name = isEntry(value) ? value['name'] : undefined
  return typeof name === 'string' ? [name] : []
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
