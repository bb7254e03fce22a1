import { isUtf8 } from 'node:buffer'
import { errorMessage, FatalError } from '../../errors.ts'
import type { CatalogueShape, TableShape } from './catalogue-shape.ts'

const batchBytes = 32 * 1024
const lineFeed = 0x0a

/** Rows of a table, as lines from a `CatalogueSnapshot`. */
export type DumpPart = { table: string; columns: readonly string[]; bytes: Buffer }

export type DumpValue = string | number | null

/** Rows to insert, with values in the order of `columns`. */
export type DumpRows = {
  table: TableShape
  columns: readonly string[]
  rows: readonly (readonly DumpValue[])[]
}

/**
 * Reads parts one by one, passes their rows to `insert`, and returns the number of rows of every
 * table. Throws a `FatalError` for data that no dump contains: unknown tables and columns,
 * and lines that are not rows.
 */
export async function insertParts(
  parts: AsyncIterable<DumpPart>,
  { tables }: CatalogueShape,
  insert: (rows: DumpRows) => void | Promise<void>,
): Promise<Map<string, number>> {
  const counts = new Map(tables.map(({ name }) => [name, 0]))
  for await (const part of parts) {
    const table = tables.find(({ name }) => name === part.table)
    if (table === undefined) throw laterRelease(`the table "${part.table}"`)
    const known = new Set(table.columns.map(({ name }) => name))
    const unknown = part.columns.find((column) => !known.has(column))
    if (unknown !== undefined) throw laterRelease(`the column "${unknown}" of ${part.table}`)
    if (!isUtf8(part.bytes)) throw damagedCopy(`${part.table} has rows that are not UTF-8`)
    for (const lines of readBatches(part.bytes)) {
      const before = counts.get(part.table) ?? 0
      const rows = parseRows(lines, part, before)
      await insert({ table, columns: part.columns, rows })
      counts.set(part.table, before + rows.length)
    }
  }
  return counts
}

/** `what` is a complete clause. */
export function damagedCopy(what: string, cause?: unknown): FatalError {
  return new FatalError(`the copy is damaged: ${what}; use another copy`, { cause })
}

function laterRelease(what: string): FatalError {
  return new FatalError(
    `the copy has ${what}, which this release does not know: it was created by a later release; use that release or a later one`,
  )
}

/** Yields a few whole lines at a time, to hold few values in memory. */
function* readBatches(bytes: Buffer): Generator<string> {
  for (let start = 0; start < bytes.length;) {
    const last = bytes.lastIndexOf(lineFeed, start + batchBytes)
    const end = last >= start ? last : bytes.indexOf(lineFeed, start)
    const next = end < 0 ? bytes.length : end + 1
    yield bytes.toString('utf8', start, next)
    start = next
  }
}

function parseRows(text: string, { table, columns }: DumpPart, rowsBefore: number): DumpValue[][] {
  const damaged = (row: number, why: string): FatalError =>
    damagedCopy(`row ${rowsBefore + row + 1} of ${table} ${why}`)
  const lines = text.split('\n')
  if (lines.pop() !== '') throw damaged(lines.length, 'has no end')
  return lines.map((line, row) => {
    let values: unknown
    try {
      values = JSON.parse(line)
    } catch (error) {
      throw damaged(row, `is not JSON (${errorMessage(error)})`)
    }
    if (!Array.isArray(values) || values.length !== columns.length)
      throw damaged(row, `must have ${columns.length} values, one per column`)
    const at = values.findIndex((value) => !isDumpValue(value))
    if (at >= 0) throw damaged(row, `must have a text or a whole number below 2^53 as ${columns[at]}`)
    return values as DumpValue[]
  })
}

function isDumpValue(value: unknown): value is DumpValue {
  return value === null || typeof value === 'string' || Number.isSafeInteger(value)
}
