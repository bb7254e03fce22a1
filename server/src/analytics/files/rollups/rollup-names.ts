import { join } from 'node:path'
import { checksumOf, checksumText, type FoundPath } from '../file-bytes.ts'

/** Another one whenever rollups have other rows: one of another version does not count. */
const version = 1
const namePattern = /^([A-Za-z0-9_]+)-([0-9a-f]{8})\.rollup-(\d+)$/

/** A file that has the name of a rollup, and which it is. */
export type NamedRollup = { path: string; segmentId: string; isGood: () => Promise<boolean> }

/** Returns the path of the rollup of a file, beside it. */
export function rollupPath(month: string, segmentId: string, checksum: number): string {
  return join(month, `${segmentId}-${checksumText(checksum)}.rollup-${version}`)
}

/** Returns what the name of a file says, or undefined if it is no rollup. */
export function namedRollup({ path, name }: FoundPath): NamedRollup | undefined {
  const [, segmentId, checksum, ofVersion] = namePattern.exec(name) ?? []
  if (segmentId === undefined) return undefined
  return {
    path,
    segmentId,
    isGood: async () => Number(ofVersion) === version && (await hasChecksum(path, checksum)),
  }
}

async function hasChecksum(path: string, text: string | undefined): Promise<boolean> {
  try {
    return checksumText((await checksumOf(path)).checksum) === text
  } catch {
    return false
  }
}
