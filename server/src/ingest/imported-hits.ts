import { readArchivedScan } from '../analytics/insert/archived-scans.ts'
import type { ScanRow } from '../analytics/insert/scan-row.ts'
import { archivedScanColumns } from '../analytics/store/archived-scan-columns.ts'
import { closedOwnerOf } from '../analytics/store/closed-owner.ts'
import type { Database } from '../db/database.ts'

/** Hits of one month on their way from an archive, or from another product, into the store. */
export type ArchivedHits = {
  organizationId: string
  /** The job, which is the writer of its hits. */
  writer: string
  /** The number of the first hit among those of the archive, from 1. */
  firstSequence: number
  /** Lines of the archive, at most 50,000. */
  lines: readonly unknown[]
  /** Host name of the domain of the codes. Default: none, as in an archive. */
  domain?: string
}

export type ScanImporter = {
  /**
   * Stores hits exactly once, however often it is called for them. `commit` is called with the
   * transaction that counts them. Returns false if the store is away: the same call may succeed
   * later. Throws if another worker has the same hits in progress.
   */
  store: (
    db: Database,
    hits: ArchivedHits,
    commit: (count: (tx: Database) => Promise<boolean>) => Promise<void>,
  ) => Promise<boolean>
  /** Counts the unique scans of codes that have new hits. Returns false if the store is away. */
  countUniques: (db: Database) => Promise<boolean>
  /** Returns the id of the code of a line. */
  codeOf: (line: unknown) => string
}

const codeAt = archivedScanColumns.indexOf('qrCodeId')

export function codeOfLine(line: unknown): string {
  return String((line as readonly unknown[])[codeAt])
}

/** Returns hits as rows of a scan store. Throws for a line that was not checked. */
export function rowsOfHits({
  organizationId,
  writer,
  firstSequence,
  lines,
  domain = '',
}: ArchivedHits): ScanRow[] {
  return lines.map((line, index) => {
    const hit = readArchivedScan(line, Infinity)
    if ('problem' in hit) throw new Error('a line of hits was not checked')
    const { isClosed, ...row } = hit
    const owner = isClosed ? closedOwnerOf(organizationId) : organizationId
    return { ...row, organizationId: owner, domain, writer, sequence: firstSequence + index }
  })
}
