import { problem, type FieldProblem } from '@everscan/contract/problems/problem.ts'
import {
  commonImportColumns,
  importColumnOf,
  metadataKeyOf,
} from '@everscan/contract/code-types/import-columns.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { codeType, type QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import type { ImportedQrCode } from '@everscan/contract/resources/bulk-imports.ts'
import { qrCodeStatuses, type QrCodeStatus } from '@everscan/contract/resources/qr-codes.ts'
import { joinPath } from '@everscan/contract/schema/paths.ts'
import { plainCell, type CellColumns } from '../../catalogue/imports/import-cells.ts'

/**
 * The body and the folder that a row describes, and the problems of the row itself. `check` of the
 * API finds the others.
 */
export type ReadRow = {
  body: ImportedQrCode
  /** The name of its folder; undefined if it has none. */
  folder: string | undefined
  /** The host name of its domain, as it is written; undefined: the default. */
  domain: string | undefined
  /** When it was created, as it is written; undefined: now. */
  createdAt: string | undefined
  problems: FieldProblem[]
}

const booleans: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  1: true,
  false: false,
  no: false,
  0: false,
}

/**
 * Converts a row to the body that would create its code. `columns` names the column of each cell;
 * null: the cell is skipped. An empty cell is an absent field.
 */
export function readRow(type: QrCodeType, columns: CellColumns, cells: readonly string[]): ReadRow {
  const { importColumns: own, imported } = codeType(type)
  const verbatim = new Set(own.flatMap(({ name, isVerbatim }) => (isVerbatim ? [name] : [])))
  const problems: FieldProblem[] = []
  const fields = new Map<string, string>()
  for (const [index, cell] of cells.entries()) {
    const column = columns[index]
    if (column === undefined && cell.trim() !== '')
      problems.push({ path: '', ...problem('tooManyCells', { max: columns.length }) })
    if (column === undefined || column === null) continue
    if (Buffer.byteLength(cell) > limits.importCellBytesMax)
      problems.push({ path: column, ...problem('tooManyBytes', { max: limits.importCellBytesMax }) })
    const text = plainCell(verbatim.has(column) ? cell : cell.trim())
    if (text.trim() !== '') fields.set(column, text)
  }
  const [content, metadata] = [new Map<string, string>(), new Map<string, string>()]
  for (const [column, text] of fields) {
    const key = metadataKeyOf(column)
    if (key !== undefined) metadata.set(key, text)
    else if (!commonImportColumns.has(column)) content.set(column, text)
  }
  const ofRow = imported?.problem(content)
  if (ofRow !== undefined) problems.push({ path: '', ...ofRow })
  // A repeated tag is one tag, and counts once against the limit.
  const tags = new Set((fields.get('tags') ?? '').split(';').map((tag) => tag.trim()))
  const [shortCode, status] = [fields.get('shortCode'), fields.get('status')]
  return {
    body: {
      type,
      name: fields.get('name') ?? '',
      data: imported?.read(content) ?? readContent(type, content),
      tags: [...tags].filter((tag) => tag !== ''),
      ...(metadata.size > 0 && { metadata: Object.fromEntries(metadata) }),
      ...(shortCode !== undefined && { shortCode }),
      // A word that is no status stays one, which the check refuses.
      ...(status !== undefined && {
        status: readCell(status, { enum: qrCodeStatuses }) as QrCodeStatus,
      }),
    },
    folder: fields.get('folder'),
    domain: fields.get('domain'),
    createdAt: fields.get('createdAt'),
    problems: problems.slice(0, 1),
  }
}

/** Returns the column that a part of a body comes from. */
export function columnOf(path: string, { type, data }: ImportedQrCode): string | undefined {
  if (metadataKeyOf(path) !== undefined) return importColumnOf(type, path)
  const inContent = path.replace(/^data\.?/, '')
  const named = codeType(type).imported?.columnOf(inContent, data)
  return importColumnOf(type, named ?? inContent) ?? importColumnOf(type, inContent.split(/[.[]/)[0] ?? '')
}

/**
 * Returns one field for each column, with the type of the schema. A dot in the name of a column
 * leads into an object. A cell that does not fit its type remains text, which the check refuses.
 */
function readContent(type: QrCodeType, cells: ReadonlyMap<string, string>): Record<string, unknown> {
  return readFields(codeType(type).schema, cells, '')
}

type FieldsSchema = { properties?: Readonly<Record<string, CellSchema & FieldsSchema>> }

function readFields(
  { properties = {} }: FieldsSchema,
  cells: ReadonlyMap<string, string>,
  path: string,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(properties)) {
    const column = joinPath(path, name)
    const cell = cells.get(column)
    if (cell !== undefined) fields[name] = readCell(cell, schema)
    else if (schema.type === 'object') {
      const inner = readFields(schema, cells, column)
      if (Object.keys(inner).length > 0) fields[name] = inner
    }
  }
  return fields
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
