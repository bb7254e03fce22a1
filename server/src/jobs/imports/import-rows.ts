import { importColumns } from '@everscan/contract/code-types/import-columns.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { QrCodeType } from '@everscan/contract/code-types/qr-code-data.ts'
import type { CreateQrCode } from '@everscan/contract/resources/qr-codes.ts'
import type { ProblemDetail } from '../../errors.ts'

/** What a row asks for, and what is wrong with the row itself; `check` of the API finds the rest. */
export type ReadRow = {
  body: CreateQrCode
  /** Name of its folder; undefined: none. */
  folder: string | undefined
  problems: ProblemDetail[]
}

/** Cells in which white space at the ends may be meant. */
const verbatim: ReadonlySet<string> = new Set(['ssid', 'password', 'text', 'body', 'message'])

/** Columns that are the code's own; all others are of its content. */
const ofCode: ReadonlySet<string> = new Set(['name', 'folder', 'tags'])

const booleans: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  1: true,
  false: false,
  no: false,
  0: false,
}
const encryptions: Readonly<Record<string, string>> = { wpa: 'WPA', wep: 'WEP', nopass: 'nopass' }

/**
 * A row as the body that would create its code. `columns` says what each cell is (null: passed over). An empty cell is an absent
 * field.
 */
export function readRow(
  type: QrCodeType,
  columns: readonly (string | null)[],
  cells: readonly string[],
): ReadRow {
  const problems: ProblemDetail[] = []
  const fields = new Map<string, string>()
  for (const [index, cell] of cells.entries()) {
    const column = columns[index]
    if (column === undefined && cell.trim() !== '')
      problems.push({ path: '', message: `must have at most ${columns.length} cells` })
    if (column === undefined || column === null) continue
    if (Buffer.byteLength(cell) > limits.importCellBytesMax)
      problems.push({ path: column, message: `must have at most ${limits.importCellBytesMax} bytes` })
    const text = plainText(verbatim.has(column) ? cell : cell.trim())
    if (text.trim() !== '') fields.set(column, text)
  }
  if (type === 'SOCIAL' && linksOf(fields).length === 0)
    problems.push({ path: '', message: 'must have one link at least' })
  // A tag said twice is one tag, and counts once against how many there may be.
  const tags = new Set((fields.get('tags') ?? '').split(';').map((tag) => tag.trim()))
  return {
    body: {
      type,
      name: fields.get('name') ?? '',
      data: type === 'SOCIAL' ? socialData(fields) : plainData(fields),
      tags: [...tags].filter((tag) => tag !== ''),
    },
    folder: fields.get('folder'),
    problems: problems.slice(0, 1),
  }
}

/** The problems of a body as problems of its row: each with the column that is to blame, null for the row as a whole. */
export function rowProblems(
  { body }: ReadRow,
  problems: readonly ProblemDetail[],
): { column: string | null; message: string }[] {
  const known = new Set(importColumns(body.type).map(({ name }) => name))
  return problems.map(({ path, message }) => {
    const column = columnOf(path, body)
    return { column: column !== undefined && known.has(column) ? column : null, message }
  })
}

function columnOf(path: string, { type, data }: CreateQrCode): string | undefined {
  const link = type === 'SOCIAL' ? /^data\.links\[(\d+)\]/.exec(path) : null
  const links = data['links']
  if (link !== null && Array.isArray(links))
    return (links as { platform: string }[])[Number(link[1])]?.platform
  return path.replace(/^data\.?/, '').split(/[.[]/)[0]
}

/** Spreadsheets hide an apostrophe before what they would run or count; files that we write have it too. */
function plainText(text: string): string {
  return /^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text
}

/** Every other type: one field for each column. */
function plainData(fields: ReadonlyMap<string, string>): Record<string, unknown> {
  const data: Record<string, unknown> = {}
  for (const [column, text] of fields) {
    if (ofCode.has(column)) continue
    const word = text.trim().toLowerCase()
    if (column === 'hidden') data[column] = booleans[word] ?? text
    else if (column === 'encryption') data[column] = encryptions[word] ?? text
    else data[column] = text
  }
  return data
}

/** SOCIAL: every column but the title is a link to that platform. */
function socialData(fields: ReadonlyMap<string, string>): Record<string, unknown> {
  const title = fields.get('title')
  return { ...(title !== undefined && { title }), links: linksOf(fields) }
}

function linksOf(fields: ReadonlyMap<string, string>): { platform: string; url: string }[] {
  return [...fields]
    .filter(([column]) => column !== 'title' && !ofCode.has(column))
    .map(([platform, url]) => ({ platform, url }))
}
