import { normalHostname } from '@everscan/contract/domains/host-names.ts'
import type { ImportRepairs } from '@everscan/contract/resources/bulk-imports.ts'
import { codeKey, isExactShortCode } from '@everscan/contract/resources/short-codes.ts'
import { readCodeDomains, type CodeDomain } from '../../catalogue/domains/code-domains.ts'
import { cellIn, repairCells, type CellColumns } from '../../catalogue/imports/import-cells.ts'
import {
  firstVisitChunk,
  readImportChunk,
  replaceImportChunk,
  type ImportRow,
} from '../../catalogue/imports/import-chunks.ts'
import type { ImportKey } from '../../catalogue/rows/import-row.ts'
import type { Database } from '../../db/database.ts'

/** The short code of a row, and the domain that it is on; undefined: PUBLIC_URL. */
type CodeOfRow = { shortCode: string; domain: CodeDomain | undefined }

/**
 * Reads all rows again, now that the columns are known: marks those whose short code an earlier row
 * has, and returns the longest short code. Reads nothing if no column has short codes.
 */
export async function surveyRows(
  db: Database,
  key: ImportKey,
  {
    columns,
    repairs = {},
    domain,
  }: { columns: CellColumns; repairs?: ImportRepairs | undefined; domain: CodeDomain | undefined },
): Promise<string | undefined> {
  if (!columns.includes('shortCode')) return undefined
  const domains = await readCodeDomains(db, key.organizationId)
  return surveyCodes(db, key, (row) => {
    const cells = repairCells(row.cells, columns, repairs[row.row])
    const shortCode = cellIn(cells, columns, 'shortCode')
    if (!isExactShortCode(shortCode)) return undefined
    const host = cellIn(cells, columns, 'domain')
    return { shortCode, domain: host === '' ? domain : domains.get(normalHostname(host) ?? '') }
  })
}

/**
 * Reads all rows of a file again: marks those whose code an earlier row has, and returns the
 * longest short code. `codeOf` is called once for each row, in their order.
 */
export async function surveyCodes(
  db: Database,
  key: ImportKey,
  codeOf: (row: ImportRow) => CodeOfRow | undefined,
): Promise<string | undefined> {
  const lines = new Map<string, number>()
  let longest: string | undefined
  for (let from = 0; ;) {
    const found = await readImportChunk(db, key, { from })
    if (found === undefined || found.chunk >= firstVisitChunk) return longest
    let repeats = 0
    const marked = (found.rows as ImportRow[]).map((row): ImportRow => {
      const { shortCode, domain } = codeOf(row) ?? {}
      if (shortCode === undefined) return row
      if (shortCode.length > (longest?.length ?? 0)) longest = shortCode
      const code = codeKey({ shortCode, domain: domain?.hostname ?? '', codes: domain?.codes })
      const sameAs = lines.get(code)
      if (sameAs === undefined) {
        lines.set(code, row.line)
        return row
      }
      repeats++
      return { ...row, sameAs }
    })
    if (repeats > 0) await replaceImportChunk(db, { ...key, chunk: found.chunk }, marked)
    from = found.chunk + 1
  }
}
