import {
  importColumnOf,
  importColumns,
  importDelimiter,
  importSeparatorLine,
  metadataColumn,
  metadataKeyOf,
} from '@everscan/contract/code-types/import-columns.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import { EverscanError } from '@everscan/client/create-client.ts'
import { parse } from 'csv-parse/browser/esm/sync'
import type { ImportFileColumn } from '@everscan/contract/code-types/import-mapping.ts'
import { api } from '../session/api.ts'
import { fieldProblem, problemText } from '../ui/problems.ts'
import { importsWords } from '../words/imports-words.ts'
import { formatNumber } from '../ui/format.ts'
import type { ReadFile } from './choose-file.tsx'
import { decodeText, startsWith } from './file-text.ts'

const { problems } = importsWords

/** Enough for a few rows, however long their texts are. */
const headBytes = 512 * 1024

/** Reads the beginning of a file as the service will. Workbooks are read by the service itself. */
export async function readImportFile(orgId: string, file: File): Promise<ReadFile> {
  if (file.size > limits.importBytesMax)
    return { problem: problems.tooLarge(megabytes(limits.importBytesMax)) }
  const bytes = new Uint8Array(await file.slice(0, headBytes).arrayBuffer())
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) return { problem: problems.oldWorkbook }
  if (startsWith(bytes, [0x50, 0x4b, 3, 4])) return readWorkbook(orgId, file)
  const read = readCsvHead(bytes)
  return typeof read === 'string' ? { problem: problems[read] } : read
}

/** Writes a number of bytes as megabytes. */
export function megabytes(bytes: number): string {
  return formatNumber(bytes / 1024 ** 2)
}

async function readWorkbook(orgId: string, file: File): Promise<ReadFile> {
  try {
    const { header, rows } = await api.imports.preview(orgId, { file, fileName: file.name })
    return { problem: undefined, header, rows: rows.map(({ cells }) => cells) }
  } catch (error) {
    if (!(error instanceof EverscanError)) throw error
    return { problem: fieldProblem(error, 'file') ?? problemText(error) }
  }
}

/** Reads the column names and the first rows from the beginning of a CSV file. */
export function readCsvHead(bytes: Uint8Array): (ReadFile & { problem: undefined }) | 'empty' | 'unreadable' {
  const decoded = decodeText(bytes)
  const separatorLine = importSeparatorLine(decoded)
  const text = decoded.slice(separatorLine?.text.length ?? 0)
  try {
    const records: string[][] = parse(text, {
      delimiter: separatorLine?.delimiter ?? importDelimiter(text),
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      to: limits.importPreviewRowsMax + 1,
    })
    const [names, ...rows] = records
    if (names === undefined) return 'empty'
    // Spreadsheets leave empty cells at the end of the header.
    const header = names.slice(0, names.findLastIndex((name) => name.trim() !== '') + 1)
    return { problem: undefined, header, rows: rows.map((row) => row.slice(0, header.length)) }
  } catch {
    return 'unreadable'
  }
}

/**
 * Returns what a column of a file can become: a column of the type, of which the required ones are
 * marked, or an extra field (metadata) with the name in the file.
 */
export function columnOptions(
  type: QrCodeType,
  { name, column }: ImportFileColumn,
): (readonly [string, string])[] {
  const own = importColumnOf(type, metadataColumn(metadataKeyOf(name) ?? name))
  const extra = [own, column].flatMap((one) => {
    const key = one === undefined || one === null ? undefined : metadataKeyOf(one)
    return key === undefined ? [] : [[metadataColumn(key), importsWords.extraField(key)] as const]
  })
  return [
    ...importColumns(type).map(
      ({ name: fixed, required }) => [fixed, required ? `${fixed} *` : fixed] as const,
    ),
    ...new Map(extra),
  ]
}
