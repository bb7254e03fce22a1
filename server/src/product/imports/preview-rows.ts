import { problem } from '@everscan/contract/problems/problem.ts'
import type { ImportPreview } from '@everscan/contract/resources/bulk-imports.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { ReceivedFile } from '../../files/received-file.ts'
import { fileError } from '../../request-errors.ts'
import { readRows } from '../../files/read-rows.ts'
import { headerOf, tooManyRows } from './save-rows.ts'

/** Reads the columns and first rows of a file, and keeps nothing of it. */
export async function previewFile(file: ReceivedFile): Promise<ImportPreview> {
  let header: string[] | undefined
  let totalRows = 0
  const rows: ImportPreview['rows'] = []
  for await (const { line, cells } of readRows(file)) {
    if (header === undefined) {
      header = headerOf(cells)
      continue
    }
    totalRows++
    if (totalRows > limits.importRowsMax) throw tooManyRows(limits.importRowsMax)
    if (rows.length < limits.importPreviewRowsMax) rows.push({ line, cells: cells.slice(0, header.length) })
  }
  if (header === undefined) throw fileError(problem('fileEmpty'))
  return { header, rows, totalRows }
}
