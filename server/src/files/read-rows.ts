import { problem } from '@everscan/contract/problems/problem.ts'
import { decodeText } from './decode-text.ts'
import { readCsv, type CsvRow } from './read-csv.ts'
import type { ReceivedFile } from './received-file.ts'
import { ApiError } from '../errors.ts'
import { inField } from '../request-errors.ts'
import { readSheetRows } from './read-sheet.ts'

/** The media types that browsers and spreadsheets use for a CSV or xlsx file. */
const mediaTypes: ReadonlySet<string> = new Set([
  '',
  'text/csv',
  'text/plain',
  'text/x-csv',
  'text/comma-separated-values',
  'text/tab-separated-values',
  'application/csv',
  'application/x-csv',
  'application/vnd.ms-excel',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/octet-stream',
])

/** The first bytes of a zip archive, as every xlsx file is, and of an old workbook. */
const zipStart = Buffer.from([0x50, 0x4b, 3, 4])
const oldWorkbookStart = Buffer.from([0xd0, 0xcf, 0x11, 0xe0])

/**
 * Reads the rows of a CSV or xlsx file. Its first bytes tell which it is. CSV is read as it
 * arrives; xlsx is in memory until it is read. Throws ApiError 413 and 415 for what cannot be read.
 */
export async function* readRows({
  mediaType,
  bytes,
}: Pick<ReceivedFile, 'mediaType' | 'bytes'>): AsyncGenerator<CsvRow, void, undefined> {
  if (!mediaTypes.has(mediaType.toLowerCase()))
    throw new ApiError(
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      inField('file', problem('notSheetFile', { got: mediaType.slice(0, 100) })),
    )
  const workbook: Buffer[] = []
  yield* readCsv(decodeText(textOf(bytes, workbook)))
  if (workbook.length > 0) yield* await readSheetRows(Buffer.concat(workbook))
}

/** Yields the bytes of a CSV file. Those of an xlsx file go into `workbook` instead. */
async function* textOf(
  bytes: AsyncIterable<Buffer>,
  workbook: Buffer[],
): AsyncGenerator<Buffer, void, undefined> {
  let head: Buffer = Buffer.alloc(0)
  let isKnown = false
  for await (const chunk of bytes) {
    if (workbook.length > 0) workbook.push(chunk)
    else if (isKnown) yield chunk
    else {
      head = Buffer.concat([head, chunk])
      if (head.length < zipStart.length) continue
      isKnown = true
      if (startsWith(head, oldWorkbookStart)) throw oldWorkbook()
      if (startsWith(head, zipStart)) workbook.push(head)
      else yield head
    }
  }
  if (!isKnown) yield head
}

function startsWith(head: Buffer, start: Buffer): boolean {
  return head.subarray(0, start.length).equals(start)
}

function oldWorkbook(): ApiError {
  return new ApiError(415, 'UNSUPPORTED_MEDIA_TYPE', inField('file', problem('oldWorkbook')))
}
