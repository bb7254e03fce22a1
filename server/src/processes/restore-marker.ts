import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { nameWhenWritten, writeDurably } from './identity-file.ts'

/** Marks a data directory into which a restore has begun and is not complete. */
export type RestoreMarker = {
  /** Id of the new scan store: if the catalogue knows this id, the restore was complete. */
  storeId: string
}

const restoreMarkerName = 'restoring.json'

/** Whether a file of a data directory is the marker, whole or half written. */
export function isRestoreMarker(name: string): boolean {
  return nameWhenWritten(name) === restoreMarkerName
}

/** Returns the marker; undefined if no restore was interrupted here. */
export function readRestoreMarker(dataDir: string): RestoreMarker | undefined {
  const path = join(dataDir, restoreMarkerName)
  if (!existsSync(path)) return undefined
  try {
    const { storeId } = JSON.parse(readFileSync(path, 'utf8'))
    return { storeId: String(storeId) }
  } catch {
    return { storeId: '' }
  }
}

export function writeRestoreMarker(dataDir: string, marker: RestoreMarker): void {
  writeDurably(join(dataDir, restoreMarkerName), `${JSON.stringify(marker)}\n`)
}

export function removeRestoreMarker(dataDir: string): void {
  for (const name of readdirSync(dataDir).filter(isRestoreMarker))
    rmSync(join(dataDir, name), { force: true })
}
