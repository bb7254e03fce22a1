import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../db/database.ts'
import { readCheckpoint } from '../db/scans/ingest-checkpoints.ts'
import { journalFolders } from '../journal/journal-folders.ts'
import { fileSystem, type JournalIo } from '../journal/journal-io.ts'
import { journalStart, readFrames, readWriters, type JournalPosition } from '../journal/reader.ts'
import { segmentHeaderBytes, segmentNumber } from '../journal/segments.ts'

/** The part of this machine's journals that is not ingested yet. */
export type IngestLag = {
  bytes: number
  /**
   * When the oldest of these scans was made, in milliseconds since 1970; undefined if there is
   * none.
   */
  oldestMs: number | undefined
}

/** Reading a journal moves damaged ranges into files, which only ingest may do. */
const readOnly: JournalIo = {
  ...fileSystem,
  open: (path, flags) => {
    if (flags !== 'r') throw new Error('this journal is read-only')
    return fileSystem.open(path, flags)
  },
}

/**
 * Compares the journals of this installation with their checkpoints on each call, so the result is
 * correct even while ingest fails or hangs.
 */
export function createLagReader(
  db: Database,
  journalRoot: string,
  isOwn: (dir: string) => boolean = () => true,
): () => Promise<IngestLag> {
  /**
   * While the catalogue is unavailable, no checkpoint moves: the last known ones remain current.
   */
  const known = new Map<string, JournalPosition>()

  async function checkpointOf(writer: string): Promise<JournalPosition> {
    try {
      const checkpoint = (await readCheckpoint(db, writer)) ?? journalStart
      known.set(writer, checkpoint)
      return checkpoint
    } catch (error) {
      const last = known.get(writer)
      if (last === undefined) throw error
      return last
    }
  }

  return async () => {
    const lag: IngestLag = { bytes: 0, oldestMs: undefined }
    for (const dir of await journalFolders(journalRoot)) {
      if (!isOwn(dir)) continue
      for (const { writer, firstSegment } of readWriters(dir)) {
        if (firstSegment === undefined) continue
        const checkpoint = await checkpointOf(writer)
        const { frames, position } = await readFrames(dir, checkpoint, { writer, framesMax: 1, io: readOnly })
        const [oldest] = frames
        // Bytes without scans, as at the end of a truncated journal, are no lag.
        if (oldest === undefined) continue
        // Writers follow each other: everything after the first pending writer is pending too.
        lag.bytes += await bytesBehind(
          dir,
          checkpoint.segment === position.segment ? checkpoint : startOf(position),
        )
        lag.oldestMs = Math.min(lag.oldestMs ?? Infinity, oldest.scan.timeMs)
        break
      }
    }
    return lag
  }
}

function startOf({ segment, sequence }: JournalPosition): JournalPosition {
  return { segment, offset: 0, sequence }
}

async function bytesBehind(dir: string, { segment, offset }: JournalPosition): Promise<number> {
  let bytes = 0
  for (const name of await readdir(dir)) {
    const number = segmentNumber(name)
    if (number === undefined || number < segment) continue
    const stat = await fileSystem.stat(join(dir, name))
    const from = Math.max(segmentHeaderBytes, number === segment ? offset : 0)
    bytes += Math.max(0, (stat?.bytes ?? 0) - from)
  }
  return bytes
}
