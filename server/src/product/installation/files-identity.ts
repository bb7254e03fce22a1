import { existsSync, readdirSync } from 'node:fs'
import { readFilesIdentity } from '../../analytics/files/folder-claim.ts'
import { namedFilesIn } from '../../analytics/files/parquet/look-at-files.ts'
import type { Database } from '../../db/database.ts'
import { readListedSegments } from '../../db/scans/scan-segments.ts'
import type { ScanFilePlaces } from '../../settings/scan-file-places.ts'

/**
 * Whether a folder lacks everything that the catalogue lists in it. A folder of Parquet that is
 * claimed is the right one, whatever it has lost since.
 */
export async function lacksFiles(db: Database, places: ScanFilePlaces): Promise<boolean> {
  const { segments = [] } = await readListedSegments(db, undefined)
  const listed = segments.filter(({ segment_rows: rows }) => rows > 0)
  if (listed.some(({ level }) => level === 0) && !hasRecords(places)) return true
  const ids = new Set(listed.filter(({ level }) => level > 0).map(({ id }) => id))
  if (ids.size === 0 || readFilesIdentity(places) !== undefined) return false
  const named = existsSync(places.segments) ? await namedFilesIn(places.segments) : []
  return !named.some(({ id }) => ids.has(id))
}

function hasRecords({ records }: ScanFilePlaces): boolean {
  return existsSync(records) && readdirSync(records).some((name) => name.endsWith('.rows'))
}
