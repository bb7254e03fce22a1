import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { errorMessage, FatalError } from '../errors.ts'
import { writeDurably } from './identity-file.ts'

/**
 * Marks a data directory whose catalogue and scans are on their way to database servers. `begun`:
 * the service goes on with the files in the directory. `moved`: only the servers are current.
 */
export type MoveMarker = {
  state: 'begun' | 'moved'
  /** Id of the scan store on the server. */
  storeId: string
  /** The database of the moved catalogue, without its password: "everscan at db.example:5432". */
  catalogue: string
}

const markerName = 'moving.json'

/** Returns the marker, if a move has begun here. Throws a `FatalError` if it is damaged. */
export function readMoveMarker(dataDir: string): MoveMarker | undefined {
  const path = join(dataDir, markerName)
  if (!existsSync(path)) return undefined
  try {
    const { state, storeId, catalogue } = JSON.parse(readFileSync(path, 'utf8'))
    if (state !== 'begun' && state !== 'moved') throw new Error('it has no state')
    return { state, storeId: String(storeId), catalogue: String(catalogue) }
  } catch (error) {
    throw new FatalError(
      `${path} is damaged (${errorMessage(error)}). If DATABASE_URL was in use since, restore the file from a copy; if not, remove it.`,
      { cause: error },
    )
  }
}

export function writeMoveMarker(dataDir: string, marker: MoveMarker): void {
  writeDurably(join(dataDir, markerName), `${JSON.stringify(marker)}\n`)
}

export function removeMoveMarker(dataDir: string): void {
  rmSync(join(dataDir, markerName), { force: true })
}

/**
 * Throws a `FatalError` if the settings name the files of a data directory whose catalogue was
 * moved: changes there would be lost.
 */
export function refuseMovedCatalogue({
  dataDir,
  databaseUrl,
}: {
  dataDir: string
  databaseUrl: string | undefined
}): void {
  if (databaseUrl !== undefined) return
  const marker = readMoveMarker(dataDir)
  if (marker?.state !== 'moved') return
  throw new FatalError(
    `the catalogue of DATA_DIR ${dataDir} was moved to the database ${marker.catalogue}: set DATABASE_URL and CLICKHOUSE_URL. ` +
      'To go back to the files in DATA_DIR, as they were then: ./everscan migrate-store --back.',
  )
}
