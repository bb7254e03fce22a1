import { hash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { errorMessage } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { cityFile, type GeographyFiles } from './geography.ts'
import type { CountryRanges } from './country-ranges.ts'
import { CountryTable } from './country-table.ts'
import type { ReadRanges } from './country-table-main.ts'
import { watchFile } from './file-changes.ts'

/** Increases when the form of the saved ranges changes. */
const form = 1

/**
 * Opens the table of countries. It is made from the city databases, on threads, which takes some
 * seconds; the result is saved in `cacheDir` and read in milliseconds from then on. A family whose
 * file cannot be read has no countries. A file that changes is read again within a minute
 * (`lookMs`: the time between two looks). Never rejects.
 */
export async function openCountryTable(options: {
  files: GeographyFiles
  cacheDir: string
  log: Log
  lookMs?: number
}): Promise<CountryTable> {
  const { files, cacheDir, log, lookMs } = options
  const open = async (family: 'v4' | 'v6'): Promise<CountryRanges | undefined> => {
    const path = cityFile(files, family)
    try {
      const { size, mtimeMs } = await stat(path)
      const name = hash('sha256', JSON.stringify([form, path, size, mtimeMs])).slice(0, 32)
      const saved = join(cacheDir, `countries-${family}-${name}.bin`)
      return (await readSaved(saved)) ?? (await save(saved, await readOnThread(path, family), log))
    } catch (error) {
      log.error(`geography file for IP${family} ${path}: ${errorMessage(error)}; rules know no new countries`)
      return undefined
    }
  }
  const table = new CountryTable({ v4: await open('v4'), v6: await open('v6') })
  for (const family of ['v4', 'v6'] as const)
    watchFile(
      () => cityFile(files, family),
      async () => {
        const ranges = await open(family)
        if (ranges !== undefined) table.replace(family, ranges)
      },
      lookMs,
    )
  return table
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

/** Saves ranges for the next start. They are used also if they cannot be saved. */
async function save(path: string, ranges: CountryRanges, log: Log): Promise<CountryRanges> {
  try {
    await mkdir(dirname(path), { recursive: true })
    // Another front may save the same file.
    const temporary = `${path}.${process.pid}`
    await writeFile(temporary, serialize(ranges), { mode: 0o600 })
    await rename(temporary, path)
    await removeFormer(path)
  } catch (error) {
    log.warn({ error: errorMessage(error) }, 'the countries of networks cannot be saved')
  }
  return ranges
}

/** Removes the ranges of former files of the family. Processes that use them have read them. */
async function removeFormer(path: string): Promise<void> {
  const [dir, name] = [dirname(path), basename(path)]
  const family = name.slice(0, 'countries-v4-'.length)
  for (const other of await readdir(dir))
    if (other.startsWith(family) && other.endsWith('.bin') && other !== name) await rm(join(dir, other))
}

async function readOnThread(path: string, family: 'v4' | 'v6'): Promise<CountryRanges> {
  const thread = new Worker(new URL('./country-table-main.ts', import.meta.url), {
    workerData: { path, family },
  })
  try {
    const answer = await new Promise<ReadRanges>((resolve, reject) => {
      thread.once('message', resolve)
      thread.once('error', reject)
      thread.once('exit', () => reject(new Error('the thread ended')))
    })
    if ('problem' in answer) throw new Error(answer.problem)
    return answer.ranges
  } finally {
    await thread.terminate()
  }
}
