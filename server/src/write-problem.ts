import { accessSync, constants, statfsSync, statSync } from 'node:fs'

/** With less, SQLite cannot open a file that others use: the index of its log needs room. */
const roomBytesMin = 256 * 1024

/** Returns why a directory cannot be written, and what to do about it. */
export function writeProblem(dataDir: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  const user = process.getuid?.()
  if (code === 'EROFS')
    return 'its file system is read-only; mount it so that it can be written, or set DATA_DIR to a directory elsewhere'
  if (code === 'ENOSPC') return 'its disk is full; make room, or set DATA_DIR to a directory on another disk'
  if (code !== 'EACCES' && code !== 'EPERM') return message
  return (
    `the user${user === undefined ? '' : ` ${user}`} may not write there; run this as the user of the service, ` +
    `give it the directory (chown -R ${user ?? 'USER'} '${dataDir}'), or set DATA_DIR to one that it may write`
  )
}

/**
 * Returns a sentence about a data directory that exists and cannot be written, now or because its
 * disk is full; undefined if it can be written or is not there yet.
 */
export function dataDirProblem(dataDir: string): string | undefined {
  try {
    if (statSync(dataDir, { throwIfNoEntry: false }) === undefined) return undefined
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    const { blocks, bavail, bsize } = statfsSync(dataDir)
    // Some file systems do not report their size.
    if (blocks > 0 && bavail * bsize < roomBytesMin)
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
    return undefined
  } catch (error) {
    return unwritableText(dataDir, error)
  }
}

/** Returns a sentence about a data directory that cannot be written because of an error. */
export function unwritableText(dataDir: string, error: unknown): string {
  return `DATA_DIR: ${dataDir} cannot be written: ${writeProblem(dataDir, error)}`
}
