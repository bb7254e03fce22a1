import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeDurably } from './identity-file.ts'

/** A restore into a data directory that has begun and is not complete. */
export type RestoreMarker = {
  /** Of the scan store that it makes: a catalogue that knows it was restored completely. */
  storeId: string
}

export const restoreMarkerName = 'restoring.json'

/** `undefined`: no restore was cut off here. */
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
  rmSync(join(dataDir, restoreMarkerName), { force: true })
}
