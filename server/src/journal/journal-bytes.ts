import { join } from 'node:path'
import { fileSystem, type JournalIo } from './journal-io.ts'
import { segmentNumber } from './segments.ts'

/**
 * Returns the bytes and the number of all segments in a directory and in its direct subdirectories.
 * The directory is the folder of one writer, or the one that contains the folders of all writers. A
 * folder that doesn't exist is empty.
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
      // Only folders have names without a dot here, which saves a stat for each other file.
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
