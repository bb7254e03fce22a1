import { problem } from '@everscan/contract/problems/problem.ts'
import { jsonLinkTable } from '@everscan/contract/moves/json-links.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { ApiError } from '../../../errors.ts'
import { readCsv } from '../../../files/read-csv.ts'
import { fileError } from '../../../request-errors.ts'

/** An export as it arrives: the name that it was sent under, and its bytes. */
export type ExportFile = { name: string; bytes: AsyncIterable<Buffer> }

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
  const found = problem('jsonTooLarge', { max: limits.moveJsonBytesMax / 1024 ** 2 })
  return new ApiError(413, 'PAYLOAD_TOO_LARGE', found)
}

function* jsonRows(text: string): Generator<ExportRow, void, undefined> {
  const table = jsonLinkTable(parsed(text))
  if (table === undefined) throw fileError(problem('jsonWithoutLinks'))
  yield { line: 1, cells: table.header }
  for (const [index, cells] of table.rows.entries()) yield { line: index + 1, cells }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw fileError(problem('notJson'), cause)
  }
}
