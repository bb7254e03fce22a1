import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileSystem, syncDirectoryNow } from '../../journal/journal-io.ts'
import { openJournal } from '../../journal/journal.ts'
import { prepareScan, type RawScan } from '../../journal/raw-scan.ts'
import { frameScan, frameSeed, frameSequence, goodFrameBytes } from '../../journal/frames.ts'
import { readWriters } from '../../journal/reader.ts'
import type { IngestContext } from '../ingest-context.ts'

type SetAside = {
  path: string
  /** Of its bytes: they name their writer and sequence, so no two files of scans are equal. */
  hash: string
  frames: { writer: string; sequence: number; scan: RawScan }[]
}

const folderPattern = /^taken-back-(\d+)$/
const hashesName = 'taken.json'
/** A frame has less; a large file is a damaged range. */
const bytesMax = 64 * 1024
const sequencesMax = 200_000

/**
 * Puts the frames that are whole although they were set aside as damaged into a finished journal
 * beside the others, where ingest finds them. Releases up to 2026-11-28 set frames aside that were
 * longer than what their reader saw first.
 *
 * Frames whose rows the store has are left out. Each file is taken once, wherever this is
 * interrupted: the journal appears together with the hashes of the files that it takes. Returns the
 * number of scans. Throws errors of the file system and of the store.
 */
export async function takeBackWhole(
  { journalRoot, calls, store }: Pick<IngestContext, 'journalRoot' | 'calls' | 'store'>,
  dirs: readonly string[],
): Promise<number> {
  const taken = new Set(await takenHashes(dirs))
  let count = 0
  for (const dir of dirs) {
    const whole = await wholeSetAside([dir])
    const files = whole.filter(({ hash }) => !taken.has(hash))
    const scans = await missingScans({ calls, store }, files)
    if (scans.length > 0) {
      const unfinished = join(dir, 'taken-back.tmp')
      await rm(unfinished, { recursive: true, force: true })
      await writeJournal(unfinished, scans)
      await writeFile(join(unfinished, hashesName), JSON.stringify(files.map(({ hash }) => hash)), {
        flush: true,
      })
      syncDirectoryNow(fileSystem, unfinished)
      await rename(unfinished, join(journalRoot, nextFolder(journalRoot)))
      syncDirectoryNow(fileSystem, journalRoot)
      count += scans.length
    }
    for (const { path } of whole) await rm(path)
  }
  return count
}

function nextFolder(journalRoot: string): string {
  for (let number = 0; ; number++)
    if (!existsSync(join(journalRoot, `taken-back-${number}`))) return `taken-back-${number}`
}

async function takenHashes(dirs: readonly string[]): Promise<string[]> {
  const folders = dirs.filter((dir) => folderPattern.test(basename(dir)))
  const lists = folders.map(
    async (dir) => JSON.parse(await readFile(join(dir, hashesName), 'utf8')) as string[],
  )
  return (await Promise.all(lists)).flat()
}

/** Returns the files of folders that are nothing but whole frames of their writers. */
export async function wholeSetAside(dirs: readonly string[]): Promise<SetAside[]> {
  return (await Promise.all([...new Set(dirs)].map(wholeIn))).flat()
}

async function wholeIn(dir: string): Promise<SetAside[]> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.bad'))
  if (names.length === 0) return []
  const writers = readWriters(dir).map(({ writer }) => writer)
  const files: SetAside[] = []
  for (const name of names.toSorted()) {
    const path = join(dir, name)
    const bytes = await readFile(path)
    const frames = bytes.length > bytesMax ? [] : framesOf(bytes, writers)
    if (frames.length > 0)
      files.push({ path, hash: createHash('sha256').update(bytes).digest('hex'), frames })
  }
  return files
}

function framesOf(bytes: Buffer, writers: readonly string[]): SetAside['frames'] {
  for (const writer of writers) {
    const seed = frameSeed(writer)
    const frames: SetAside['frames'] = []
    let at = 0
    for (let length = 1; length > 0 && at < bytes.length; at += length) {
      length = goodFrameBytes(bytes, at, bytes.length, seed)
      if (length > 0) frames.push({ writer, sequence: frameSequence(bytes, at), scan: frameScan(bytes, at) })
    }
    if (frames.length > 0 && at === bytes.length) return frames
  }
  return []
}

/** Returns the scans of files whose rows the store does not have, each once. */
async function missingScans(
  { calls, store }: Pick<IngestContext, 'calls' | 'store'>,
  files: readonly SetAside[],
): Promise<RawScan[]> {
  const scans: RawScan[] = []
  const ofWriters = Map.groupBy(
    files.flatMap(({ frames }) => frames),
    ({ writer }) => writer,
  )
  for (const [writer, frames] of ofWriters) {
    const missing = new Map(frames.map(({ sequence, scan }) => [sequence, scan]))
    const last = Math.max(...missing.keys())
    for (let after = Math.min(...missing.keys()) - 1; after < last;) {
      const stretch = { writer, after, exceptBatchIds: [] }
      const stored = await calls.storedSequences(store, stretch, sequencesMax)
      for (const sequence of stored) missing.delete(sequence)
      after = stored.length < sequencesMax ? last : (stored.at(-1) ?? last)
    }
    scans.push(...missing.values())
  }
  return scans
}

async function writeJournal(dir: string, scans: readonly RawScan[]): Promise<void> {
  await mkdir(dir)
  const journal = openJournal({ dir, sync: 'always', bytesMax: Infinity })
  const answers = scans.map(
    (scan) => new Promise<boolean>((acknowledge) => journal.append(prepareScan(scan), { acknowledge })),
  )
  const recorded = await Promise.all(answers)
  await journal.close()
  if (recorded.includes(false)) throw new Error(`scans could not be written into ${dir}`)
}
