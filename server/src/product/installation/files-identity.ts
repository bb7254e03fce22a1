import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { namedFilesIn } from '../../analytics/files/parquet/look-at-files.ts'
import type { StoreIdentity } from '../../analytics/store/store-identity.ts'
import type { Database } from '../../db/database.ts'
import { readListedSegments } from '../../db/scans/scan-segments.ts'
import { writeDurably } from '../../processes/identity-file.ts'
import type { ScanFilePlaces } from '../../settings/scan-file-places.ts'

const fileName = 'installation.json'

/**
 * Returns the installation that a folder of files of scans belongs to. Undefined for a folder
 * without a claim, as earlier releases left it, or with one that cannot be read.
 */
export function readFilesIdentity({ segments }: ScanFilePlaces): StoreIdentity | undefined {
  const path = join(segments, fileName)
  if (!existsSync(path)) return undefined
  try {
    const { installation, store } = JSON.parse(readFileSync(path, 'utf8')) as Partial<StoreIdentity>
    return typeof installation === 'string' && typeof store === 'string' ? { installation, store } : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Claims a folder durably. Throws errors of the file system. */
export function writeFilesIdentity({ segments }: ScanFilePlaces, identity: StoreIdentity): void {
  mkdirSync(segments, { recursive: true, mode: 0o700 })
  writeDurably(join(segments, fileName), `${JSON.stringify(identity)}\n`)
}

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
