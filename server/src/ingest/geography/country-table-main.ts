// The thread on which `openCountryTable` reads databases.
import { readFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { errorMessage } from '../../errors.ts'
import { readCountryRanges, type CountryRanges } from './country-ranges.ts'

/** The ranges of a file, or why there are none. */
export type ReadRanges = { ranges: CountryRanges } | { problem: string }

// Redirects of the process come first. Elsewhere a priority belongs to the whole process.
if (process.platform === 'linux') setPriority(Math.min(19, getPriority() + 5))

const { path, family } = workerData as { path: string; family: 'v4' | 'v6' }
parentPort?.postMessage(read())

function read(): ReadRanges {
  try {
    return { ranges: readCountryRanges(readFileSync(path), family) }
  } catch (error) {
    return { problem: errorMessage(error) }
  }
}
