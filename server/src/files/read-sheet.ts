import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { limits } from '@everscan/contract/schema/limits.ts'
import { ApiError } from '../errors.ts'
import { inField } from '../request-errors.ts'
import type { CsvRow } from './read-csv.ts'
import type { SheetAnswer, SheetProblem } from './sheet-reader.ts'

const reader = fileURLToPath(new URL('./sheet-reader.ts', import.meta.url))
const memory = ['--max-semi-space-size=4', '--max-old-space-size=256']
/** A file of 10,000 rows takes less than a second. */
const readMsMax = 20_000
const bytesInMegabyte = 1024 ** 2

/** The previous file of this process: they are read one at a time, as each may need a heap. */
let previous: Promise<unknown> = Promise.resolve()

/**
 * Reads the first sheet of an xlsx file, in a process with a heap and a time of its own: such a
 * file can be small and need any amount of both, and a thread without memory may end its process. A
 * row's line is its number in the sheet. Throws ApiError 413 for a file that is too large, and 415
 * for one that is not a workbook.
 */
export async function readSheetRows(file: Buffer): Promise<CsvRow[]> {
  const mine = previous.then(() => askReader(file))
  previous = mine.catch(() => undefined)
  const answer = await mine
  if ('rows' in answer) return answer.rows
  throw problems[answer.problem]()
}

function askReader(file: Buffer): Promise<SheetAnswer> {
  const child = fork(reader, {
    env: {},
    execArgv: memory,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const timeout = setTimeout(() => child.kill('SIGKILL'), readMsMax)
  return new Promise((resolve, reject) => {
    child.once('message', (answer: SheetAnswer) => resolve(answer))
    child.once('error', reject)
    // Comes after the last message, unlike the end of the process. Without an answer, it had no
    // memory or no time left.
    child.once('disconnect', () => {
      clearTimeout(timeout)
      resolve({ problem: 'tooLarge' })
    })
    child.send(file, (error) => {
      if (error !== null) child.kill('SIGKILL')
    })
  })
}

const problems: Readonly<Record<SheetProblem, () => ApiError>> = {
  tooLarge: () =>
    tooLarge(problem('sheetTooLarge', { max: limits.importUnpackedBytesMax / bytesInMegabyte })),
  tooMuchText: () =>
    tooLarge(problem('sheetWithTooMuchText', { max: limits.importBytesMax / bytesInMegabyte })),
  unreadable: () => new ApiError(415, 'UNSUPPORTED_MEDIA_TYPE', inField('file', problem('notWorkbook'))),
}

function tooLarge(found: Problem): ApiError {
  return new ApiError(413, 'PAYLOAD_TOO_LARGE', found)
}
