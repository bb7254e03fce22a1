import { problem } from '@everscan/contract/problems/problem.ts'
import { pipeline } from 'node:stream'
import {
  importDelimiter,
  importSeparatorLine,
  withoutQuoted,
} from '@everscan/contract/code-types/import-columns.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { CsvError, parse, type Info } from 'csv-parse'
import type { ApiError } from '../errors.ts'
import { fileError } from '../request-errors.ts'

/** A row with the line on which it begins, from 1. */
export type CsvRow = { line: number; cells: string[] }

const rowBytesMax = limits.importColumnsMax * limits.importCellBytesMax
/** The number of characters examined to detect the separator. */
const sniffedCharsMax = 64 * 1024
const lineBreaks = /\r\n|\n|\r/g

/**
 * Reads the rows of a CSV text (RFC 4180), separated by commas, semicolons or tabs: by the one most
 * frequent in the first row, or by that of a first line like `sep=;`, which is no row. Accepts the
 * line breaks of all systems, also within quotes, and skips blank rows. Throws ApiError 400 for a
 * quote that is never closed, and for a row that is too long.
 */
export async function* readCsv(text: AsyncIterable<string>): AsyncGenerator<CsvRow, void, undefined> {
  const { delimiter, fullText, linesBefore } = await sniff(text)
  const parser = parse({
    delimiter,
    info: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: rowBytesMax,
  })
  // The loop below throws its error, if there is one.
  pipeline(fullText, parser, () => undefined)
  let lastLine = 0
  try {
    for await (const parsed of parser) {
      const { record, info } = parsed as { record: string[]; info: Info }
      lastLine = info.lines + linesBefore
      if (record.every((cell) => cell.trim() === '')) continue
      yield { line: lastLine - breaksIn(record), cells: record }
    }
  } catch (error) {
    throw error instanceof CsvError ? csvProblem(error, lastLine + 1) : error
  }
}

/**
 * The separator, and the text again from its beginning, but without a line that only names the
 * separator.
 */
async function sniff(
  text: AsyncIterable<string>,
): Promise<{ delimiter: string; fullText: AsyncIterable<string>; linesBefore: number }> {
  const chunks = text[Symbol.asyncIterator]()
  let head = ''
  let done = false
  while (!done && head.length < sniffedCharsMax && !hasRow(head)) {
    const next = await chunks.next()
    if (next.done === true) done = true
    else head += next.value
  }
  const rest: AsyncIterable<string> = { [Symbol.asyncIterator]: () => chunks }
  const separatorLine = importSeparatorLine(head)
  async function* fullText() {
    yield head.slice(separatorLine?.text.length ?? 0)
    yield* rest
  }
  return {
    delimiter: separatorLine?.delimiter ?? importDelimiter(head),
    fullText: fullText(),
    linesBefore: separatorLine === undefined ? 0 : 1,
  }
}

/** A pattern for the whole row would take seconds for a long text without a line break. */
function hasRow(head: string): boolean {
  return /[\n\r]/.test(withoutQuoted(head).trimStart())
}

function breaksIn(record: readonly string[]): number {
  return record.reduce((sum, cell) => sum + (cell.match(lineBreaks)?.length ?? 0), 0)
}

function csvProblem(error: CsvError, line: number): ApiError {
  const found =
    error.code === 'CSV_QUOTE_NOT_CLOSED'
      ? problem('quoteNotClosed', { line })
      : error.code === 'CSV_MAX_RECORD_SIZE'
        ? problem('rowTooLong', { max: rowBytesMax / 1024 ** 2, line })
        : problem('notCsv', { reason: error.message })
  return fileError(found, error)
}
