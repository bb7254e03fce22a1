import { importColumns } from '@everscan/contract/code-types/import-columns.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { codeType, type QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import type { CreateQrCode } from '@everscan/contract/resources/qr-codes.ts'
import type { ProblemDetail } from '../../errors.ts'

/**
 * The body and the folder that a row describes, and the problems of the row itself. `check` of the
 * API finds the others.
 */
export type ReadRow = {
  body: CreateQrCode
  /** The name of its folder; undefined if it has none. */
  folder: string | undefined
  /** The host name of its domain, as it is written; undefined: the default. */
  domain: string | undefined
  problems: ProblemDetail[]
}

/** Columns of the code itself; all others are of its content. */
const ofCode: ReadonlySet<string> = new Set(['name', 'folder', 'tags', 'domain'])

const booleans: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  1: true,
  false: false,
  no: false,
  0: false,
}

/**
 * Returns the cells of a row with repaired values in their place. Cells beyond the columns are left
 * out: the person who repaired the row did not see them.
 */
export function repairCells(
  cells: readonly string[],
  columns: readonly (string | null)[],
  values: Readonly<Record<string, string>> | undefined,
): readonly string[] {
  if (values === undefined) return cells
  return columns.map((column, at) => (column === null ? undefined : values[column]) ?? cells[at] ?? '')
}

/**
 * Converts a row to the body that would create its code. `columns` names the column of each cell;
 * null: the cell is skipped. An empty cell is an absent field.
 */
export function readRow(
  type: QrCodeType,
  columns: readonly (string | null)[],
  cells: readonly string[],
): ReadRow {
  const { importColumns: own, imported } = codeType(type)
  const verbatim = new Set(own.flatMap(({ name, isVerbatim }) => (isVerbatim ? [name] : [])))
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
  const content = new Map([...fields].filter(([column]) => !ofCode.has(column)))
  const problem = imported?.problem(content)
  if (problem !== undefined) problems.push({ path: '', message: problem })
  // A repeated tag is one tag, and counts once against the limit.
  const tags = new Set((fields.get('tags') ?? '').split(';').map((tag) => tag.trim()))
  return {
    body: {
      type,
      name: fields.get('name') ?? '',
      data: imported?.read(content) ?? readContent(type, content),
      tags: [...tags].filter((tag) => tag !== ''),
    },
    folder: fields.get('folder'),
    domain: fields.get('domain'),
    problems: problems.slice(0, 1),
  }
}

/**
 * Converts the problems of a body to problems of its row, each with its column; null stands for the
 * row as a whole.
 */
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
  const inContent = path.replace(/^data\.?/, '')
  return codeType(type).imported?.columnOf(inContent, data) ?? inContent.split(/[.[]/)[0]
}

/**
 * Removes the apostrophe that spreadsheets hide before text which they would otherwise run or
 * calculate. Files that Everscan writes have it too.
 */
function plainText(text: string): string {
  return /^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text
}

/**
 * Returns one field for each column, with the type of the schema. A cell that does not fit its type
 * remains text, which the check refuses.
 */
function readContent(type: QrCodeType, cells: ReadonlyMap<string, string>): Record<string, unknown> {
  const { properties } = codeType(type).schema
  return Object.fromEntries(
    [...cells].map(([column, cell]) => [column, readCell(cell, properties[column] ?? {})]),
  )
}

type CellSchema = {
  type?: string
  enum?: readonly string[]
  'x-aliases'?: Readonly<Record<string, string>>
}

function readCell(cell: string, schema: CellSchema): unknown {
  const word = cell.trim().toLowerCase()
  if (schema.type === 'boolean') return booleans[word] ?? cell
  if (schema.type === 'number') return /^-?\d+(\.\d+)?$/.test(word) ? Number(word) : cell
  const spellings = [...(schema.enum ?? []), ...Object.keys(schema['x-aliases'] ?? {})]
  return spellings.find((one) => one.toLowerCase() === word) ?? cell
}
