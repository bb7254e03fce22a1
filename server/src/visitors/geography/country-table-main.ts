// The process in which `openCountryTable` reads databases: it takes 100 MB, which end with it.
import { readFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { errorMessage } from '../../errors.ts'
import { readCountryRanges, type CountryRanges } from './country-ranges.ts'

/** The ranges of a file, or why there are none. */
export type ReadRanges = { ranges: CountryRanges } | { problem: string }

// Redirects come first.
setPriority(Math.min(19, getPriority() + 5))

const [path = '', family] = process.argv.slice(2)
process.send?.(read(), () => process.disconnect())

function read(): ReadRanges {
  try {
    return { ranges: readCountryRanges(readFileSync(path), family === 'v6' ? 'v6' : 'v4') }
  } catch (error) {
    return { problem: errorMessage(error) }
  }
}
