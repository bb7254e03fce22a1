import { isRecord } from '../schema/records.ts'
import type { Fields } from '../schema/fields.ts'
import { joinPath } from '../schema/paths.ts'
import { codeType, type QrCodeType } from './code-types.ts'
import { importColumns, metadataColumn } from './import-columns.ts'

/**
 * A code to write into a file: parts of its record, with the name of its folder and the host name
 * of its domain.
 */
export type ExportedCode = {
  type: QrCodeType
  name: string
  data: Fields
  tags: readonly string[]
  shortCode: string
  createdAt: string
  status: string
  metadata: Readonly<Record<string, string>>
  /** Empty: none. */
  folder: string
  /** Empty: the default of the organization that imports it. */
  domain: string
}

/**
 * Writes codes of one type as a CSV file (RFC 4180) that an import reads, in all of its columns.
 * `leftOut` counts the codes that no row can describe: those of another type, or with a part of the
 * content, a tag or a key of metadata for which there is no column. Rules, access and looks have no
 * columns either; codes are written without them.
 */
export function writeImportFile(
  type: QrCodeType,
  codes: readonly ExportedCode[],
): { csv: string; leftOut: number } {
  const rows = codes.flatMap((code) => (code.type === type ? (cellsOf(code) ?? []) : []))
  // The columns of the type, and those of metadata that any row has.
  const columns = [
    ...new Set([
      ...importColumns(type).map(({ name }) => name),
      ...rows.flatMap((cells) => [...cells.keys()]),
    ]),
  ]
  const lines = [columns, ...rows.map((cells) => columns.map((name) => safeCell(cells.get(name) ?? '')))]
  const csv = lines.map((line) => `${line.map(quoted).join(',')}\r\n`).join('')
  return { csv, leftOut: codes.length - rows.length }
}

/** Returns the cells of a code by column, or undefined if no row can describe it. */
function cellsOf(code: ExportedCode): Map<string, string> | undefined {
  const { type, name, tags, folder, shortCode, domain, createdAt, status, metadata } = code
  const { importColumns: own, imported } = codeType(type)
  const content = imported === undefined ? contentOf(code.data, '') : imported.write(code.data)
  const known = new Set(own.map((column) => column.name))
  if (content === undefined || [...content.keys()].some((column) => !known.has(column))) return undefined
  if (tags.some((tag) => tag.includes(';'))) return undefined
  // White space at the ends of a key would be lost in the name of its column.
  if (Object.keys(metadata).some((key) => key !== key.trim())) return undefined
  return new Map([
    ...content,
    ...Object.entries(metadata).map(([key, text]) => [metadataColumn(key), text] as const),
    ...Object.entries({ name, folder, tags: tags.join(';'), shortCode, domain, createdAt, status }),
  ])
}

/** Returns the cells of fields by their paths. A list has a path, too, which is no column. */
function contentOf(fields: Fields, path: string): Map<string, string> {
  return new Map(
    Object.entries(fields).flatMap(([name, value]) => {
      const column = joinPath(path, name)
      return isRecord(value) ? [...contentOf(value, column)] : [[column, String(value)] as const]
    }),
  )
}

/** Imports remove the apostrophe again. */
function safeCell(cell: string): string {
  return /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
}

function quoted(cell: string): string {
  return /[",;\r\n\t]/.test(cell) || cell !== cell.trim() ? `"${cell.replaceAll('"', '""')}"` : cell
}
