import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { cp, open } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { liveWriters } from '../db/feeds/journal-heads.ts'
import type { Database } from '../db/database.ts'
import { errorCode } from '../db/errors.ts'
import { readInstallation } from '../db/installation.ts'
import { readCheckpoint } from '../db/scans/ingest-checkpoints.ts'
import { holdSegments } from '../journal/hold-segments.ts'
import { fileSystem, syncDirectoryNow } from '../journal/journal-io.ts'
import { readWriters } from '../journal/reader.ts'
import { listSegments } from '../journal/segments.ts'
import { isDataDirInUse } from '../processes/data-dir.ts'
import { foreignJournals, markJournals } from '../processes/journal-owners.ts'

const adoptedStart = 'adopted-'
const unfinishedEnd = '.unfinished'
/** Holds the journals of the former data directory that were adopted. */
const adoptedName = 'journal-adopted'

export type AdoptedJournals = {
  /** Scans that are not in the scan store yet, as far as the catalogue knows. */
  scans: number
  /** The folders from which they were copied. */
  folders: readonly string[]
  /** Folders that could not be set aside: their machine must not start with them again. */
  left: readonly string[]
}

/**
 * Takes over the journals of a machine that is gone: copies the folders of its fronts below the
 * journals of this data directory, whose worker ingests them, also while the service runs. Each
 * folder appears complete or not at all, and is then set aside where it was, so that no other
 * machine reads it. Can be repeated after an interruption. Throws an Error with a sentence if there
 * is nothing to adopt, if it belongs to another installation, or if a service runs there.
 */
export async function adoptJournals(
  db: Database,
  { from, dataDir }: { from: string; dataDir: string },
): Promise<AdoptedJournals> {
  const source = sourceOf(from, dataDir)
  const installation = await readInstallation(db)
  if (installation === undefined) throw new Error('the catalogue names no installation: start the service.')
  const [foreign] = foreignJournals(source, installation.id)
  if (foreign !== undefined)
    throw new Error(
      `the journals in ${foreign.dir} belong to installation ${foreign.installation}, and the catalogue to ${installation.id}: set the settings of that installation.`,
    )
  const folders = frontFolders(source)
  if (folders.length === 0)
    throw new Error(
      `${source} has no journal of a front: name the data directory of the machine that is gone.`,
    )
  const root = join(dataDir, 'journal')
  await refuseLive(db, folders)
  refuseOwn(folders, root)
  const scans = await waitingScans(db, source)
  const left: string[] = []
  for (const folder of folders) {
    await copyFolder(folder, { root, installation: installation.id })
    if (!setAside(folder)) left.push(folder)
  }
  return { scans, folders, left }
}

/** Returns the root of the journals in a data directory, or in its folder of journals. */
function sourceOf(from: string, dataDir: string): string {
  const given = resolve(from)
  const inside = join(given, 'journal')
  const source = existsSync(inside) ? inside : given
  if (!existsSync(source)) throw new Error(`${given} does not exist.`)
  if (source === join(resolve(dataDir), 'journal'))
    throw new Error(`${given} is the DATA_DIR of this machine, whose worker reads its journals anyway.`)
  if (isDataDirInUse(dirname(source)))
    throw new Error(
      `a service runs on ${dirname(source)}, and ingests its journals itself. Only the journal of a machine that is gone can be adopted.`,
    )
  return source
}

function frontFolders(source: string): string[] {
  return readdirSync(source, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.endsWith(unfinishedEnd))
    .map(({ name }) => join(source, name))
    .filter((dir) => listSegments(fileSystem, dir).length > 0)
    .toSorted()
}

const lastWriterOf = (folder: string): string => readWriters(folder).at(-1)?.writer ?? ''

/** Throws if a machine, perhaps with this disk, reported such a writer in the last minutes. */
async function refuseLive(db: Database, folders: readonly string[]): Promise<void> {
  const live = await liveWriters(db)
  for (const folder of folders) {
    const machine = live.get(lastWriterOf(folder))
    if (machine !== undefined)
      throw new Error(
        `the journal in ${folder} belongs to the machine ${machine}, which reported in the last three minutes. Stop it, and try again after that.`,
      )
  }
}

/** Throws if this data directory has a journal of the same writer, under a name of its own. */
function refuseOwn(folders: readonly string[], root: string): void {
  const own = existsSync(root)
    ? frontFolders(root).filter((dir) => !basename(dir).startsWith(adoptedStart))
    : []
  const writers = new Map(own.flatMap((dir) => readWriters(dir).map(({ writer }) => [writer, dir])))
  for (const folder of folders) {
    const dir = writers.get(lastWriterOf(folder))
    if (dir !== undefined)
      throw new Error(`${folder} is a copy of ${dir}, whose scans this machine ingests anyway.`)
  }
}

async function waitingScans(db: Database, source: string): Promise<number> {
  const held = holdSegments(source)
  try {
    let scans = 0
    for (const writer of held.writers()) {
      const checkpoint = await readCheckpoint(db, writer.writer)
      for await (const { frames } of held.framesBehind(writer, checkpoint)) scans += frames
    }
    return scans
  } finally {
    held.release()
  }
}

/** Copies a folder under a new name, which it gets once all of it is on disk. */
async function copyFolder(
  folder: string,
  { root, installation }: { root: string; installation: string },
): Promise<void> {
  const target = join(root, `${adoptedStart}${lastWriterOf(folder).slice(0, 16)}`)
  // An interrupted call copied it.
  if (existsSync(target)) return
  // No reader of journals looks into folders of folders.
  const outer = `${target}${unfinishedEnd}`
  const made = join(outer, 'journal')
  rmSync(outer, { recursive: true, force: true })
  mkdirSync(outer, { recursive: true, mode: 0o700 })
  await cp(folder, made, { recursive: true })
  for (const file of readdirSync(made)) await syncFile(join(made, file))
  markJournals(outer, installation)
  syncDirectoryNow(fileSystem, made)
  renameSync(made, target)
  syncDirectoryNow(fileSystem, root)
  rmSync(outer, { recursive: true, force: true })
}

/** Returns a name that no folder has. */
function freeName(path: string): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? path : `${path}-${number}`
    if (!existsSync(name)) return name
  }
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Moves an adopted folder out of the journals. Returns false if the disk cannot be written. */
function setAside(folder: string): boolean {
  const aside = join(dirname(dirname(folder)), adoptedName)
  try {
    mkdirSync(aside, { recursive: true, mode: 0o700 })
    renameSync(folder, freeName(join(aside, basename(folder))))
    return true
  } catch (error) {
    if (['EROFS', 'EACCES', 'EPERM'].includes(errorCode(error))) return false
    throw error
  }
}
