import type { Database } from '../db/database.ts'
import { readCheckpoint } from '../db/scans/ingest-checkpoints.ts'
import { readHeadRequest, tellHeads, type JournalHead } from '../db/feeds/journal-heads.ts'
import { journalFolders } from '../journal/journal-folders.ts'
import { writerEnds } from '../journal/last-sequence.ts'

/**
 * Returns how far the writers under a root have recorded: active writers, and ended ones that are
 * not fully ingested. Throws if the catalogue is unavailable, and on errors of the file system.
 */
export async function journalHeads(db: Database, journalRoot: string): Promise<JournalHead[]> {
  const heads: JournalHead[] = []
  for (const dir of await journalFolders(journalRoot))
    for (const { writer, sequence, isLast } of writerEnds(dir))
      if (isLast || ((await readCheckpoint(db, writer))?.sequence ?? 0) < sequence)
        heads.push({ writer, sequence })
  return heads
}

const beatMsDefault = 60_000

/**
 * Returns the task that a worker runs each second if several machines share a catalogue. When a
 * copy asks, it reports how far its journals are recorded, and once a minute that the machine is
 * live. Otherwise it is one cheap read.
 */
export function createHeadReporter({
  journalRoot,
  machine,
  beatMs = beatMsDefault,
}: {
  journalRoot: string
  /** The name of the machine, for people. */
  machine: string
  beatMs?: number
}): (db: Database) => Promise<void> {
  let reported: { request: number; atMs: number } | undefined
  return async (db) => {
    const request = await readHeadRequest(db)
    const atMs = performance.now()
    if (reported !== undefined && reported.request === request && atMs - reported.atMs < beatMs) return
    await tellHeads(db, { machine, request, heads: await journalHeads(db, journalRoot) })
    reported = { request, atMs }
  }
}
