import { importErrorColumns } from '@everscan/contract/code-types/import-columns.ts'
import { readImportErrors } from '../../catalogue/imports/imports.ts'
import type { ImportKey } from '../../catalogue/rows/import-row.ts'
import type { Database } from '../../db/database.ts'
import { csvLines } from '../../files/write-csv.ts'

const errorsPerPage = 1_000

/** Returns all rejected rows of a job with their reasons, as CSV with these columns of the file. */
export async function errorLines(
  db: Database,
  job: ImportKey,
  columns: readonly { name: string; index: number }[],
): Promise<string> {
  let text = csvLines([[...columns.map(({ name }) => name), ...importErrorColumns]], { escapeFormulas: true })
  for (let after = 0; ;) {
    const page = await readImportErrors(db, job, { after, limit: errorsPerPage })
    const rows = page.map(({ cells, row, message }) => [
      ...columns.map(({ index }) => cells[index] ?? ''),
      String(row),
      message,
    ])
    text += csvLines(rows, { escapeFormulas: true })
    after = page.at(-1)?.row ?? 0
    if (page.length < errorsPerPage) return text
  }
}
