import { problem } from '@everscan/contract/problems/problem.ts'
import { createHash } from 'node:crypto'
import { limits } from '@everscan/contract/schema/limits.ts'
import { saveImportChunk, type ImportRow } from '../../catalogue/imports/import-chunks.ts'
import type { ImportKey } from '../../catalogue/rows/import-row.ts'
import type { Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import { fileNameOf } from '../../files/file-names.ts'
import type { CsvRow } from '../../files/read-csv.ts'
import { fileError, inField } from '../../request-errors.ts'

/** Rows that become codes in one transaction, which is also the step of the progress. */
const rowsPerChunkMax = 500
const charsPerChunkMax = 512 * 1024

/** A file whose rows are in the catalogue. */
export type SavedFile = { fileName: string | null; header: string[]; totalRows: number; sha256: string }

/** Returns bytes as they are read, and then their hash. */
export function hashBytes(bytes: AsyncIterable<Buffer>): {
  read: AsyncIterable<Buffer>
  sha256: () => string
} {
  const hash = createHash('sha256')
  async function* hashed() {
    for await (const some of bytes) {
      hash.update(some)
      yield some
    }
  }
  return { read: hashed(), sha256: () => hash.digest('hex') }
}

/**
 * Saves the rows of a file as they arrive; only one chunk is in memory. `read` turns the bytes into
 * rows, of which the first names the columns. Throws ApiError for a file without rows, and for one
 * with too many rows or columns.
 */
export async function saveRows(
  db: Database,
  key: ImportKey,
  {
    file: { name, bytes },
    read,
    rowsMax,
    cellsMax,
    clock,
  }: {
    file: { name: string; bytes: AsyncIterable<Buffer> }
    read: (bytes: AsyncIterable<Buffer>) => AsyncIterable<CsvRow>
    rowsMax: number
    /** Cells of a row that are kept. */
    cellsMax: (header: readonly string[]) => number
    clock: () => number
  },
): Promise<SavedFile> {
  const hashed = hashBytes(bytes)
  const save = async (chunk: number, rows: readonly ImportRow[]) =>
    saveImportChunk(db, { ...key, chunk, nowMs: clock() }, rows)
  let header: string[] | undefined
  let [totalRows, chunk, chars] = [0, 0, 0]
  let rows: ImportRow[] = []
  for await (const { line, cells } of read(hashed.read)) {
    if (header === undefined) {
      header = headerOf(cells)
      continue
    }
    totalRows++
    if (totalRows > rowsMax) throw tooManyRows(rowsMax)
    rows.push({ row: totalRows, line, cells: cells.slice(0, cellsMax(header)) })
    chars += cells.reduce((sum, cell) => sum + cell.length, 0)
    if (rows.length < rowsPerChunkMax && chars < charsPerChunkMax) continue
    await save(chunk++, rows)
    rows = []
    chars = 0
  }
  if (header === undefined) throw fileError(problem('fileEmpty'))
  if (rows.length > 0) await save(chunk, rows)
  return { fileName: fileNameOf(name), header, totalRows, sha256: hashed.sha256() }
}

/**
 * The column names in the first row, without the empty cells that spreadsheets leave at its end.
 */
export function headerOf(cells: readonly string[]): string[] {
  const header = cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1)
  if (header.length <= limits.importColumnsMax) return header
  throw fileError(problem('tooManyColumns', { max: limits.importColumnsMax, got: header.length }))
}

export function tooManyRows(rowsMax: number): ApiError {
  const found = problem('tooManyRows', { max: rowsMax })
  return new ApiError(400, 'TOO_MANY_ROWS', inField('file', found), { details: [{ path: 'file', ...found }] })
}
