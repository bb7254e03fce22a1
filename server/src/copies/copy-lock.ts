import { closeSync, fchmodSync, fstatSync, openSync, rmSync, statSync } from 'node:fs'
import { errorCode } from '../db/errors.ts'
import { FatalError } from '../errors.ts'
import { tryLock, type Lock } from '../processes/data-dir.ts'

/** An attempt fails if another writer finishes at the same moment. */
const triesMax = 100

/**
 * Prevents other processes from writing the same copy, by a lock on `PATH.lock`. The operating
 * system releases the lock however this process ends, so a killed process leaves an unlocked file.
 * The lock is on a separate file because some network file systems refuse writes to a locked file.
 * Throws an Error with a sentence if another process, or this one, is writing the copy.
 */
export function lockCopy(path: string): Lock {
  for (let count = 0; count < triesMax; count++) {
    const lock = tryLockFile(`${path}.lock`)
    if (lock === 'busy') break
    if (lock !== 'removed') return lock
  }
  throw new FatalError(
    `${path} is being written by another process, or its file system does not support locks. Wait for that process, or write the copy elsewhere.`,
  )
}

/** Returns `removed` if the holder released the lock and removed the file at this moment. */
function tryLockFile(lockPath: string): Lock | 'busy' | 'removed' {
  createMissing(lockPath)
  const before = inodeOf(lockPath)
  try {
    const lock = tryLock(lockPath)
    if (lock === undefined) return 'busy'
    if (before !== undefined && before === inodeOf(lockPath)) return removedWithRelease(lockPath, lock)
    lock.release()
    return 'removed'
  } catch (error) {
    // The error of SQLite for a file that vanished while it was being locked.
    if (errorCode(error).startsWith('SQLITE_IOERR')) return 'removed'
    throw error
  }
}

/**
 * Returns a lock whose release removes the file first: a process that gets the lock then sees that
 * the file is gone.
 */
function removedWithRelease(lockPath: string, lock: Lock): Lock {
  return {
    release: () => {
      try {
        rmSync(lockPath, { force: true })
      } finally {
        lock.release()
      }
    },
  }
}

/**
 * Creates the file if it is missing. Never opens an existing file: POSIX releases all locks of a
 * process on a file when it closes any descriptor of it.
 */
function createMissing(path: string): void {
  let file: number
  try {
    file = openSync(path, 'wx', 0o600)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return
    throw error
  }
  try {
    // The umask may have made the file unreadable.
    if ((fstatSync(file).mode & 0o600) !== 0o600) fchmodSync(file, 0o600)
  } finally {
    closeSync(file)
  }
}

function inodeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino
}
