import { join } from 'node:path'
import { fileSystem, type JournalIo } from './journal-io.ts'
import { segmentNumber } from './segments.ts'

/**
 * Bytes and number of all segments in a directory and in those directly under it: give it the folder of one writer,
 * or the one that holds the folders of all. A folder that doesn't exist is empty.
 */
export async function journalBytes(
  rootDir: string,
  io: JournalIo = fileSystem,
): Promise<{ bytes: number; segments: number }> {
  const total = { bytes: 0, segments: 0 }
  const folders = [rootDir]
  for (let depth = 0, folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    for (const name of await namesIn(folder, io)) {
      const isSegment = segmentNumber(name) !== undefined
      // Only folders have no dot in their names here: a stat for each other file is saved.
      if (!isSegment && (depth > 0 || name.includes('.'))) continue
      const stat = await io.stat(join(folder, name))
      if (stat === undefined) continue
      if (stat.isDirectory) folders.push(join(folder, name))
      else if (isSegment) {
        total.bytes += stat.bytes
        total.segments++
      }
    }
    depth++
  }
  return total
}

async function namesIn(folder: string, io: JournalIo): Promise<string[]> {
  if ((await io.stat(folder)) === undefined) return []
  return io.listLater(folder)
}
