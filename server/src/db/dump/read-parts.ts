import { isUtf8 } from 'node:buffer'
import { errorMessage, FatalError } from '../../errors.ts'
import type { CatalogueShape, TableShape } from './catalogue-shape.ts'

const batchBytes = 32 * 1024
const lineFeed = 0x0a

/** Some rows of a table, as lines that a `CatalogueSnapshot` gave. */
export type DumpPart = { table: string; columns: readonly string[]; bytes: Buffer }

export type DumpValue = string | number | null

/** Rows on their way into a table: values stand in the order of `columns`. */
export type DumpRows = {
  table: TableShape
  columns: readonly string[]
  rows: readonly (readonly DumpValue[])[]
}

/**
 * Reads parts one by one, gives their rows to `insert`, and counts them by table, of every table. Throws a `FatalError` for what
 * no dump has: unknown tables and columns, and lines that are no rows.
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

/** `what` is found in a sentence of its own. */
export function damagedCopy(what: string, cause?: unknown): FatalError {
  return new FatalError(`the copy is damaged: ${what}; use another copy`, { cause })
}

function laterRelease(what: string): FatalError {
  return new FatalError(
    `the copy has ${what}, which this release does not know: it was made by a later release; use that release or a later one`,
  )
}

/** A few whole lines at a time: few values then wait in memory. */
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
      throw damaged(row, `has not the ${columns.length} values of its columns`)
    const at = values.findIndex((value) => !isDumpValue(value))
    if (at >= 0) throw damaged(row, `has as ${columns[at]} neither a text nor a whole number below 2^53`)
    return values as DumpValue[]
  })
}

function isDumpValue(value: unknown): value is DumpValue {
  return value === null || typeof value === 'string' || Number.isSafeInteger(value)
}
