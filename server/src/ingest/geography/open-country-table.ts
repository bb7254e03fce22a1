import { hash } from 'node:crypto'
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { errorMessage } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { cityFile, type GeographyFiles } from './geography.ts'
import type { CountryRanges } from './country-ranges.ts'
import { CountryTable } from './country-table.ts'
import type { ReadRanges } from './country-table-main.ts'

/** Increases when the form of the saved ranges changes. */
const form = 1

/**
 * Opens the table of countries. It is made from the city databases, on threads, which takes some
 * seconds; the result is saved in `cacheDir` and read in milliseconds from then on. A family whose
 * file cannot be read has no countries. Never rejects.
 */
export async function openCountryTable(options: {
  files: GeographyFiles
  cacheDir: string
  log: Log
}): Promise<CountryTable> {
  const { files, cacheDir, log } = options
  const open = async (family: 'v4' | 'v6'): Promise<CountryRanges | undefined> => {
    const path = cityFile(files, family)
    try {
      const { size, mtimeMs } = await stat(path)
      const name = hash('sha256', JSON.stringify([form, path, size, mtimeMs])).slice(0, 32)
      const saved = join(cacheDir, `countries-${family}-${name}.bin`)
      return (await readSaved(saved)) ?? (await save(saved, await readOnThread(path, family), log))
    } catch (error) {
      log.error(`geography file for IP${family} ${path}: ${errorMessage(error)}; rules know no countries`)
      return undefined
    }
  }
  return new CountryTable({ v4: await open('v4'), v6: await open('v6') })
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
  } catch (error) {
    log.warn({ error: errorMessage(error) }, 'the countries of networks cannot be saved')
  }
  return ranges
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
