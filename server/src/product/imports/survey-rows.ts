import { problem } from '@everscan/contract/problems/problem.ts'
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
import { inTurn, ownTurns } from '../../turns/own-turns.ts'

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
  const codes: SurveyedCodes = { lines: new Map(), longest: undefined }
  for (let from: number | undefined = 0; from !== undefined;) {
    const first: number = from
    const work = () => surveyChunk(db, key, { from: first, codes, codeOf })
    // Chunk by chunk: a large file of one organization does not hold up a small one of another.
    from = await inTurn(ownTurns.surveys, key.organizationId, { work, refused })
  }
  return codes.longest
}

const refused = problem('tooManyFilesRead')

/** The lines of the short codes so far, and the longest one. */
type SurveyedCodes = { lines: Map<string, number>; longest: string | undefined }

/** Returns where the next chunk begins, or undefined at the end of the rows. */
async function surveyChunk(
  db: Database,
  key: ImportKey,
  {
    from,
    codes,
    codeOf,
  }: { from: number; codes: SurveyedCodes; codeOf: (row: ImportRow) => CodeOfRow | undefined },
): Promise<number | undefined> {
  const found = await readImportChunk(db, key, { from })
  if (found === undefined || found.chunk >= firstVisitChunk) return undefined
  let repeats = 0
  const marked = (found.rows as ImportRow[]).map((row): ImportRow => {
    const { shortCode, domain } = codeOf(row) ?? {}
    if (shortCode === undefined) return row
    if (shortCode.length > (codes.longest?.length ?? 0)) codes.longest = shortCode
    const code = codeKey({ shortCode, domain: domain?.hostname ?? '', codes: domain?.codes })
    const sameAs = codes.lines.get(code)
    if (sameAs === undefined) {
      codes.lines.set(code, row.line)
      return row
    }
    repeats++
    return { ...row, sameAs }
  })
  if (repeats > 0) await replaceImportChunk(db, { ...key, chunk: found.chunk }, marked)
  return found.chunk + 1
}
