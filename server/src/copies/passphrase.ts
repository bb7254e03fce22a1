import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { FatalError } from '../errors.ts'

const charactersMin = 8
const bytesMax = 4096

export type PassphraseFile = {
  passphrase: string
  /** A sentence for the operator. */
  warning?: string
}

/**
 * Returns the first line of a file or a pipe, exactly as a person types it for `age -d`. Throws an
 * Error with a sentence if the line is empty, has fewer than 8 characters, is not UTF-8 or cannot
 * be read. Adds a warning if other users can read the file.
 */
export function readPassphrase(path: string): PassphraseFile {
  const { text, isOpenToOthers } = readFirstLine(path)
  const passphrase = text.replace(/\r$/, '')
  const length = Array.from(passphrase).length
  if (length === 0) throw new FatalError(`${path}: the first line is empty. Write the passphrase there.`)
  if (length < charactersMin)
    throw new FatalError(
      `${path}: the passphrase has ${length} characters, at least ${charactersMin} are needed; four random words are good.`,
    )
  if (!isOpenToOthers) return { passphrase }
  return { passphrase, warning: `${path} can be read by other users of this machine: chmod 600 ${path}` }
}

function readFirstLine(path: string): { text: string; isOpenToOthers: boolean } {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    const found = fstatSync(file)
    const bytes = readLine(file, bytesMax)
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { text, isOpenToOthers: found.isFile() && (found.mode & 0o077) !== 0 }
  } catch (error) {
    throw new FatalError(
      `${path} cannot be read as a passphrase file: ${error instanceof TypeError ? 'it is not text in UTF-8' : (error as Error).message}. Its first line must be the passphrase.`,
      { cause: error },
    )
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** Reads only up to the end of the line: a pipe may stay open, and some files are endless. */
function readLine(file: number, limit: number): Buffer {
  const bytes = Buffer.alloc(limit)
  let length = 0
  while (length < limit && !bytes.subarray(0, length).includes(0x0a)) {
    const read = readSync(file, bytes, length, limit - length, null)
    if (read === 0) break
    length += read
  }
  const end = bytes.subarray(0, length).indexOf(0x0a)
  if (end < 0 && length === limit) throw new Error(`its first line has more than ${limit} bytes`)
  return bytes.subarray(0, end < 0 ? length : end)
}
