import type { Database } from '../db/database.ts'
import { readCheckpoint } from '../db/scans/ingest-checkpoints.ts'
import { readHeadRequest, tellHeads, type JournalHead } from '../db/feeds/journal-heads.ts'
import { journalFolders } from '../journal/journal-folders.ts'
import { writerEnds } from '../journal/last-sequence.ts'

/**
 * How far the writers under a root recorded: those that may be writing, and ended ones of which something is not ingested. Throws when the
 * catalogue is away, and what the file system throws.
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
 * What a worker does each second where several machines share a catalogue: when a copy asks, it tells how far its journals are recorded, and once a
 * minute that it lives. One cheap read otherwise.
 */
export function createHeadTeller({
  journalRoot,
  machine,
  beatMs = beatMsDefault,
}: {
  journalRoot: string
  /** A name that people know it by. */
  machine: string
  beatMs?: number
}): (db: Database) => Promise<void> {
  let told: { request: number; atMs: number } | undefined
  return async (db) => {
    const request = await readHeadRequest(db)
    const atMs = performance.now()
    if (told !== undefined && told.request === request && atMs - told.atMs < beatMs) return
    await tellHeads(db, { machine, request, heads: await journalHeads(db, journalRoot) })
    told = { request, atMs }
  }
}
