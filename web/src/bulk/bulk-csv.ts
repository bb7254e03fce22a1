import type { SavedStyle } from '@everscan/contract/resources/saved-styles.ts'
import { importDelimiter } from '@everscan/contract/code-types/import-columns.ts'
import { codeKey } from '@everscan/contract/resources/short-codes.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { parse } from 'csv-parse/browser/esm/sync'
import { decodeText } from '../imports/file-text.ts'
import { tableWords } from '../words/bulk-table-words.ts'
import {
  bulkFields,
  cellOf,
  ownLook,
  plainLook,
  rowProblems,
  urlOf,
  withCell,
  type BulkField,
  type BulkRow,
} from './bulk-rows.ts'
import { commonWords } from '../words/common-words.ts'

/** A folder as files name it. */
export type FolderLabel = { id: string; name: string; label: string }

type Names = { folders: readonly FolderLabel[]; styles: readonly SavedStyle[] }

/** A cell of a file that differs from the table. `row` is the row that a spreadsheet shows. */
export type CsvChange = {
  row: number
  id: string
  name: string
  field: BulkField
  value: string
  before: string
  after: string
}

export type CsvProblem = { row: number; text: string }

export type BulkCsv =
  | { problem: 'noKey' | 'unreadable' | 'tooLarge' }
  | {
      problem: undefined
      /** Rows of codes that were not in the table. */
      added: BulkRow[]
      changes: CsvChange[]
      problems: CsvProblem[]
    }

/** Codes that are not in the table, by id or short code, which is written after its domain. */
export type FindRows = (wanted: { ids: string[]; shortCodes: string[] }) => Promise<BulkRow[]>

const columns = ['id', 'shortCode', 'type', ...bulkFields, 'domain'] as const
const text = tableWords.csv

/** Writes the table as CSV (RFC 4180), with the values that it shows. */
export function writeBulkCsv(rows: readonly BulkRow[], names: Names): string {
  const lines = rows.map((row) => {
    const { id, shortCode, type } = row.code
    return [id, shortCode, type, ...bulkFields.map((field) => fileCell(row, field, names)), domainOf(row)]
  })
  return [[...columns], ...lines].map((line) => `${line.map(quoted).join(',')}\r\n`).join('')
}

/**
 * Reads a file and compares it with the table. A cell as the download writes it is no change.
 * `exactDomains` are host names on which letter case counts in short codes.
 */
export async function readBulkCsv(
  file: Blob,
  {
    rows,
    find,
    exactDomains = new Set(),
    ...names
  }: Names & { rows: readonly BulkRow[]; find: FindRows; exactDomains?: ReadonlySet<string> },
): Promise<BulkCsv> {
  if (file.size > limits.importBytesMax) return { problem: 'tooLarge' }
  const records = recordsOf(new Uint8Array(await file.arrayBuffer()))
  if (records === undefined) return { problem: 'unreadable' }
  const lines = linesOf(records)
  if (lines === undefined) return { problem: 'noKey' }
  if (lines.length > limits.batchMax) return { problem: 'tooLarge' }
  const keyOf = (line: Place) =>
    codeKey({ ...line, codes: exactDomains.has(line.domain) ? 'exact' : 'canonical' })
  const known = keysOfRows(rows, keyOf)
  const rowAt = (keys: Keys, line: Line) =>
    line.id === '' ? keys.get(`code ${keyOf(line)}`) : keys.get(line.id)
  const unknown = lines.filter((line) => rowAt(known, line) === undefined)
  const added = await find({
    ids: unknown.flatMap(({ id }) => (id === '' ? [] : [id])),
    shortCodes: unknown.flatMap(({ id, shortCode, domain }) =>
      id !== '' || shortCode === '' ? [] : [domain === '' ? shortCode : `${domain}/${shortCode}`],
    ),
  })
  if (rows.length + added.length > limits.batchMax) return { problem: 'tooLarge' }
  const all = keysOfRows([...rows, ...added], keyOf)
  const compared = compareLines(lines, (line) => rowAt(all, line), names)
  return {
    problem: undefined,
    added,
    changes: compared.filter((one) => 'field' in one),
    problems: compared.filter((one) => 'text' in one),
  }
}

/** A line of a file. */
type Line = Place & {
  row: number
  id: string
  /** Returns a cell. Undefined if the file or the line has none. */
  cellOf: (field: BulkField) => string | undefined
}

/** Returns the lines that are not empty. Undefined if no column says of which codes they are. */
function linesOf(records: readonly string[][]): Line[] | undefined {
  const skipped = /^sep=/i.test(records[0]?.[0] ?? '') ? 1 : 0
  const header = (records[skipped] ?? []).map((name) => name.trim().toLowerCase())
  const at = (name: string) => header.indexOf(name.toLowerCase())
  if (at('id') < 0 && at('shortCode') < 0) return undefined
  return records.slice(skipped + 1).flatMap((cells, index) =>
    cells.every((cell) => cell.trim() === '')
      ? []
      : [
          {
            row: skipped + index + 2,
            cellOf: (field: BulkField) => cells[at(field)],
            id: cells[at('id')]?.trim() ?? '',
            shortCode: cells[at('shortCode')]?.trim() ?? '',
            domain: cells[at('domain')]?.trim().toLowerCase() ?? '',
          },
        ],
  )
}

/** Returns what each line changes, and what it cannot. */
function compareLines(
  lines: readonly Line[],
  rowOf: (line: Line) => BulkRow | undefined,
  names: Names,
): (CsvChange | CsvProblem)[] {
  const seen = new Set<string>()
  return lines.flatMap((line) => {
    const row = rowOf(line)
    if (row === undefined) {
      const key = line.id || line.shortCode
      return [{ row: line.row, text: key === '' ? text.missingKey : text.unknownCode(key) }]
    }
    if (seen.has(row.code.id)) return [{ row: line.row, text: text.twice }]
    seen.add(row.code.id)
    return bulkFields.flatMap((field) => compareCell(line, field, { row, ...names }) ?? [])
  })
}

function compareCell(
  line: Line,
  field: BulkField,
  { row: found, ...names }: Names & { row: BulkRow },
): CsvChange | CsvProblem | undefined {
  const { row } = line
  const refuse = (why: string) => ({ row, text: `${tableWords.columns[field]}${commonWords.colon} ${why}` })
  const cell = line.cellOf(field)
  const before = fileCell(found, field, names)
  // A cell that a line does not have is no empty cell.
  if (cell === undefined || sameText(cell, before)) return undefined
  const value = readCell(cell, field, { row: found, ...names })
  if (typeof value !== 'string') return refuse(value.problem)
  if (value === cellOf(found, field)) return undefined
  const bad = rowProblems(withCell(found, field, value))[field]
  if (bad !== undefined) return refuse(bad)
  return { row, id: found.code.id, name: cellOf(found, 'name'), field, value, before, after: cell }
}

function recordsOf(bytes: Uint8Array): string[][] | undefined {
  const isArchive = bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3
  if (isArchive) return undefined
  try {
    const content = decodeText(bytes).replace(/^\ufeff/, '')
    const delimiter = /^sep=(.)/i.exec(content)?.[1] ?? importDelimiter(content)
    return parse(content, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_quotes: true,
      relax_column_count: true,
    })
  } catch {
    return undefined
  }
}

type Keys = ReadonlyMap<string, BulkRow>

/** A short code and its domain; the empty text stands for the address of the installation. */
type Place = { shortCode: string; domain: string }

function keysOfRows(rows: readonly BulkRow[], keyOf: (place: Place) => string): Keys {
  return new Map(
    rows.flatMap((row) => [
      [row.code.id, row],
      [`code ${keyOf({ shortCode: row.code.shortCode, domain: domainOf(row) })}`, row],
    ]),
  )
}

/** Returns the host name of the domain of a code; empty: it is on none. */
function domainOf({ code: { domainId, shortUrl } }: BulkRow): string {
  return domainId === null ? '' : new URL(shortUrl).hostname
}

/** Returns a cell as a file has it. Text that a spreadsheet would run begins with an apostrophe. */
function fileCell(row: BulkRow, field: BulkField, names: Names): string {
  const shown = shownCell(cellOf(row, field), field, names)
  return /^[=+\-@\t\r]/.test(shown) ? `'${shown}` : shown
}

/** Returns a value in words: folders and looks by name. */
export function shownCell(value: string, field: BulkField, { folders, styles }: Names): string {
  if (field === 'folder') return folders.find(({ id }) => id === value)?.label ?? value
  if (field !== 'look') return value
  if (value === plainLook) return tableWords.plainLook
  return value === ownLook ? tableWords.ownLook : (styles.find(({ id }) => id === value)?.name ?? value)
}

/** Returns the value that a cell of a file stands for, or why there is none. */
export function readCell(
  cell: string,
  field: BulkField,
  { row, folders, styles }: Names & { row: BulkRow },
): string | { problem: string } {
  const typed = (/^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell).trim()
  const isNamed = (name: string) => name.toLowerCase() === typed.toLowerCase()
  if (field === 'url' && urlOf(row.code) === undefined) return typed === '' ? '' : { problem: text.notALink }
  if (field === 'folder') {
    if (typed === '') return ''
    return folders.find(({ label }) => isNamed(label))?.id ?? { problem: text.unknownFolder(typed) }
  }
  if (field !== 'look') return typed
  if (typed === '' || isNamed(tableWords.plainLook)) return plainLook
  return styles.find(({ name }) => isNamed(name))?.id ?? { problem: text.unknownLook(typed) }
}

/** Spreadsheets change line breaks within cells. */
const sameText = (one: string, other: string) =>
  one.replaceAll('\r\n', '\n').trim() === other.replaceAll('\r\n', '\n').trim()

const quoted = (cell: string) => (/[",;\r\n\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
