import {
  importColumns,
  importDelimiter,
  readImportHeader,
} from '@everscan/contract/code-types/import-columns.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { qrCodeTypes, type QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import { parse } from 'csv-parse/browser/esm/sync'

/** Beginning of a file: its column names and first rows, or the reason why there are none. */
export type ImportFile =
  | { problem: 'tooLarge' | 'spreadsheet' | 'empty' | 'unreadable' }
  | { problem: undefined; header: string[]; rows: string[][] }

/** Enough for a few rows, however long their texts are. */
const headBytes = 512 * 1024
const rowsShown = 5

/** Reads the beginning of a file as the service will. Detects its encoding and its delimiter. */
export async function readImportFile(file: Blob): Promise<ImportFile> {
  if (file.size > limits.importBytesMax) return { problem: 'tooLarge' }
  const bytes = new Uint8Array(await file.slice(0, headBytes).arrayBuffer())
  // A zip archive, as .xlsx and .ods are, or an old .xls.
  if (startsWith(bytes, [0x50, 0x4b, 3, 4]) || startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0]))
    return { problem: 'spreadsheet' }
  const text = decodeText(bytes)
  try {
    const records: string[][] = parse(text, {
      delimiter: importDelimiter(text),
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      to: rowsShown + 1,
    })
    const [names, ...rows] = records
    if (names === undefined) return { problem: 'empty' }
    // Spreadsheets leave empty cells at the end of the header.
    const header = names.slice(0, names.findLastIndex((name) => name.trim() !== '') + 1)
    return { problem: undefined, header, rows: rows.map((row) => row.slice(0, header.length)) }
  } catch {
    return { problem: 'unreadable' }
  }
}

/** Returns the type whose columns are most similar. The first wins a tie. */
export function guessType(header: readonly string[]): QrCodeType {
  const misfits = (type: QrCodeType) => {
    const { columns, missing } = readImportHeader(type, header)
    return columns.filter(({ column }) => column === undefined).length + missing.length
  }
  return qrCodeTypes.reduce((best, type) => (misfits(type) < misfits(best) ? type : best))
}

/** Returns the column names of a type. Required ones are marked. */
export function columnNames(type: QrCodeType): string {
  return importColumns(type)
    .map(({ name, required }) => (required ? `${name}*` : name))
    .join(', ')
}

/** Returns bytes as text, in the encodings that spreadsheets write. */
export function decodeText(bytes: Uint8Array): string {
  const encoding =
    startsWith(bytes, [0xff, 0xfe]) || bytes[1] === 0
      ? 'utf-16le'
      : startsWith(bytes, [0xfe, 0xff]) || bytes[0] === 0
        ? 'utf-16be'
        : 'utf-8'
  try {
    // The cut at the end may have left half a character.
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, at) => bytes[at] === byte)
}
