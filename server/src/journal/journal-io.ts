import fs from 'node:fs'

/**
 * Every file system call of the journal, so that tests can make each of them fail.
 *
 * The synchronous calls throw as `node:fs` does. `syncData` and `sync` run off the event loop and
 * call back once.
 */
export type JournalIo = {
  /**
   * `r` reads, `w` creates or empties, `w+` does the same and also reads, `r+` changes an existing
   * file.
   */
  open(path: string, flags: 'r' | 'r+' | 'w' | 'w+'): number
  /** Returns the bytes written: fewer than requested if the disk is full or a limit is reached. */
  write(fd: number, bytes: Uint8Array, from: number, length: number, position: number): number
  read(fd: number, bytes: Uint8Array, from: number, length: number, position: number): number
  truncate(fd: number, lengthBytes: number): void
  size(fd: number): number
  /**
   * Returns whether a path still names this open file: the file or its folder may have been
   * removed, renamed or replaced.
   */
  isNamed(fd: number, path: string): boolean
  close(fd: number): void
  syncNow(fd: number): void
  syncData(fd: number, done: (error: Error | null) => void): void
  sync(fd: number, done: (error: Error | null) => void): void
  rename(from: string, to: string): void
  unlink(path: string): void
  makeDirectory(path: string): void
  list(path: string): string[]
  /**
   * Returns the size in bytes and the time of the last change; `undefined` if the file no longer
   * exists.
   */
  stat(path: string): Promise<{ bytes: number; changedMs: number; isDirectory: boolean } | undefined>
  listLater(path: string): Promise<string[]>
}

export const fileSystem: JournalIo = {
  open: (path, flags) => fs.openSync(path, flags, 0o600),
  write: fs.writeSync,
  read: fs.readSync,
  truncate: fs.ftruncateSync,
  size: (fd) => fs.fstatSync(fd).size,
  isNamed: (fd, path) => {
    const file = fs.fstatSync(fd, { bigint: true })
    if (file.nlink === 0n) return false
    const named = fs.statSync(path, { bigint: true, throwIfNoEntry: false })
    return named?.ino === file.ino && named.dev === file.dev
  },
  close: fs.closeSync,
  syncNow: fs.fsyncSync,
  syncData: fs.fdatasync,
  sync: fs.fsync,
  rename: fs.renameSync,
  unlink: fs.unlinkSync,
  makeDirectory: (path) => void fs.mkdirSync(path, { recursive: true, mode: 0o700 }),
  list: (path) => fs.readdirSync(path),
  listLater: (path) => fs.promises.readdir(path),
  async stat(path) {
    try {
      const stats = await fs.promises.stat(path)
      return { bytes: stats.size, changedMs: stats.mtimeMs, isDirectory: stats.isDirectory() }
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined
      throw error
    }
  },
}

/** The number of bytes written, and the error if that is not all of them. */
export type Written = { bytes: number; error?: Error }

/**
 * Writes `bytes[from, to)` at `position`. Continues after short counts until the end or an error.
 */
export function writeFully(
  io: JournalIo,
  fd: number,
  { bytes, from, to, position }: { bytes: Uint8Array; from: number; to: number; position: number },
): Written {
  let done = 0
  const length = to - from
  try {
    while (done < length) {
      const count = io.write(fd, bytes, from + done, length - done, position + done)
      if (count === 0) return { bytes: done, error: new Error('write took no byte') }
      done += count
    }
  } catch (error) {
    return { bytes: done, error: asError(error) }
  }
  return { bytes: done }
}

/** Reads until `length` bytes or the end of the file. Returns the bytes read. */
export function readFully(
  io: JournalIo,
  fd: number,
  { bytes, length, position }: { bytes: Uint8Array; length: number; position: number },
): number {
  let done = 0
  while (done < length) {
    const count = io.read(fd, bytes, done, length - done, position + done)
    if (count === 0) break
    done += count
  }
  return done
}

/**
 * Makes the names in a directory durable. This blocks the event loop: only for rare cases such as
 * the start.
 */
export function syncDirectoryNow(io: JournalIo, dir: string): void {
  const fd = io.open(dir, 'r')
  try {
    io.syncNow(fd)
  } finally {
    closeQuietly(io, fd)
  }
}

/**
 * Closes a file and ignores errors: what counts was synced, or is lost with or without the close.
 */
export function closeQuietly(io: JournalIo, fd: number): void {
  try {
    io.close(fd)
  } catch {
    // The descriptor is closed either way (close(2)).
  }
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/**
 * Returns whether the disk or a quota is full. The call then did nothing, and the file can be used
 * again when there is room.
 */
export function isSpaceError(error: Error): boolean {
  const code = errorCode(error)
  return code === 'ENOSPC' || code === 'EDQUOT'
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
