import { errorCode, fileSystem, type JournalIo } from './journal-io.ts'
import { listSegments, segmentPath } from './segments.ts'

export type RemoveOptions = {
  /**
   * The limit of the bytes of this folder's segments. Above it the oldest are removed, whatever
   * their age.
   */
  bytesMax?: number
  clock?: () => number
  io?: JournalIo
}

/**
 * Removes the segments below `beforeSegment` that were not written for `olderThanMs`. Returns how
 * many.
 *
 * The caller must already have made the checkpoint durable that covers them. The newest segment
 * always stays, because it records which sequences are used.
 */
export async function removeSegments(
  dir: string,
  beforeSegment: number,
  olderThanMs: number,
  { bytesMax = Infinity, clock = Date.now, io = fileSystem }: RemoveOptions = {},
): Promise<number> {
  const numbers = listSegments(io, dir)
  const newest = numbers.at(-1) ?? 0
  const stats = await Promise.all(numbers.map((number) => io.stat(segmentPath(dir, number))))
  let bytesLeft = stats.reduce((sum, stat) => sum + (stat?.bytes ?? 0), 0)
  let removed = 0
  for (const [index, number] of numbers.entries()) {
    const stat = stats[index]
    if (stat === undefined || number >= beforeSegment || number === newest) continue
    if (clock() - stat.changedMs < olderThanMs && bytesLeft <= bytesMax) continue
    if (removeSegment(io, segmentPath(dir, number))) removed++
    bytesLeft -= stat.bytes
  }
  return removed
}

function removeSegment(io: JournalIo, path: string): boolean {
  try {
    io.unlink(path)
    return true
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}
