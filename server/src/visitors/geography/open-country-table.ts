import { fork } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deserialize, serialize } from 'node:v8'
import { errorMessage } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { cityFile, type GeographyFiles } from './geography.ts'
import type { CountryRanges } from './country-ranges.ts'
import { CountryTable } from './country-table.ts'
import type { ReadRanges } from './country-table-main.ts'
import { watchFile } from './file-changes.ts'

/** Increases when the form of the saved ranges changes. */
const form = 1

/** A process that ended before it had read a file is started again after this time. */
const againMs = 60_000

/**
 * Opens the table of countries. It is made from the city databases, in processes, which takes some
 * seconds; the result is saved in `cacheDir` and read in milliseconds from then on. Until then, and
 * from the moment that a database has changed, `knows` of the table says so: a look into the
 * database answers meanwhile. A family whose file cannot be read has the ranges of the database
 * before, if they are saved, else no countries. A file that changes later is read again within a
 * minute (`lookMs`: the time between two looks). `updated` resolves when all families are read, and
 * never rejects.
 */
export function openCountryTable(options: {
  files: GeographyFiles
  cacheDir: string
  log: Log
  lookMs?: number
}): { table: CountryTable; updated: Promise<void> } {
  const { files, cacheDir, log, lookMs } = options
  const table = new CountryTable()
  const opened = { v4: 0, v6: 0 }
  const open = async (family: Family): Promise<void> => {
    const path = cityFile(files, family)
    const turn = ++opened[family]
    /** A file that changed meanwhile is opened later than this. */
    const use = (ranges?: CountryRanges): void => {
      if (turn === opened[family]) table.use(family, ranges)
    }
    const keep = (error: unknown): void =>
      log.error(`geography file for IP${family} ${path}: ${errorMessage(error)}; rules know no new countries`)
    table.outdate(family)
    const saved = await savedOf(path, { family, cacheDir }).catch(keep)
    if (saved === undefined) return use()
    const current = await readSaved(join(cacheDir, saved.name))
    if (current !== undefined) return use(current)
    try {
      use(await save(saved, await readInProcess(path, family), log))
    } catch (error) {
      keep(error)
      if (error instanceof Unread) return void setTimeout(() => void open(family), againMs).unref()
      use(await readEarlier(saved))
    }
  }
  const openAll = async (): Promise<void> => {
    // One after the other, because each takes 100 MB.
    for (const family of ['v4', 'v6'] as const) {
      watchFile(
        () => cityFile(files, family),
        () => open(family),
        lookMs,
      )
      await open(family)
    }
  }
  return { table, updated: openAll() }
}

type Family = 'v4' | 'v6'

/** The ranges of a file could not be read for another reason than the file. */
class Unread extends Error {}

async function savedOf(
  path: string,
  { family, cacheDir }: { family: Family; cacheDir: string },
): Promise<Saved> {
  const { size, mtimeMs } = await stat(path)
  const name = hash('sha256', JSON.stringify([form, path, size, mtimeMs])).slice(0, 32)
  return { dir: cacheDir, prefix: `countries-${family}-`, name: `countries-${family}-${name}.bin` }
}

/** The saved ranges of a family: their file, and how the files of its other databases begin. */
type Saved = { dir: string; prefix: string; name: string }

/** Returns the ranges of another database of the family, if they are saved. */
async function readEarlier({ dir, prefix, name }: Saved): Promise<CountryRanges | undefined> {
  for (const file of await readdir(dir).catch(() => []))
    if (file.startsWith(prefix) && file.endsWith('.bin') && file !== name) {
      const ranges = await readSaved(join(dir, file))
      if (ranges !== undefined) return ranges
    }
  return undefined
}

/** Returns undefined if the file is missing or damaged: it is then made again. */
async function readSaved(path: string): Promise<CountryRanges | undefined> {
  try {
    const saved: unknown = deserialize(await readFile(path))
    return isRanges(saved) ? saved : undefined
  } catch {
    return undefined
  }
}

function isRanges(saved: unknown): saved is CountryRanges {
  const { starts, countries, codes } = (saved ?? {}) as Partial<CountryRanges>
  return (
    starts instanceof Float64Array &&
    countries instanceof Uint8Array &&
    Array.isArray(codes) &&
    starts.length === countries.length
  )
}

/**
 * Saves ranges for the next start, and removes those of other databases. They are used also if they
 * cannot be saved.
 */
async function save({ dir, prefix, name }: Saved, ranges: CountryRanges, log: Log): Promise<CountryRanges> {
  try {
    await mkdir(dir, { recursive: true })
    // Another front may save the same file.
    const temporary = join(dir, `${name}.${process.pid}`)
    await writeFile(temporary, serialize(ranges), { mode: 0o600 })
    await rename(temporary, join(dir, name))
    for (const file of await readdir(dir))
      if (file.startsWith(prefix) && file.endsWith('.bin') && file !== name)
        await rm(join(dir, file), { force: true })
  } catch (error) {
    log.warn({ error: errorMessage(error) }, 'the countries of networks cannot be saved')
  }
  return ranges
}

/** Reads a database in a process of its own, which knows nothing of the settings. */
async function readInProcess(path: string, family: Family): Promise<CountryRanges> {
  const reader = fileURLToPath(new URL('./country-table-main.ts', import.meta.url))
  const child = fork(reader, [path, family], {
    env: {},
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  try {
    const answer = await new Promise<ReadRanges>((resolve, reject) => {
      child.once('message', (message) => resolve(message as ReadRanges))
      child.once('error', (error) => reject(new Unread(error.message)))
      // Comes after the last message, unlike the end of the process.
      child.once('disconnect', () => reject(new Unread('the process that reads it ended')))
    })
    if ('problem' in answer) throw new Error(answer.problem)
    return answer.ranges
  } finally {
    child.kill('SIGKILL')
  }
}
