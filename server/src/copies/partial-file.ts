import { lstatSync, rmSync } from 'node:fs'
import { open, rename, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from '../db/errors.ts'
import { errorMessage, FatalError } from '../errors.ts'
import type { Lock } from '../processes/data-dir.ts'
import { lockCopy } from './copy-lock.ts'

export type PartialFileOptions = {
  /** Whether to replace an existing file; by default, it is refused. */
  isReplacing?: boolean
}

/**
 * A file of mode 0600 that is `PATH.partial` until it is complete. Methods throw errors of the file
 * system, or a FatalError. `writeProblem` turns both into a sentence, and the caller discards
 * the file.
 */
export class PartialFile {
  readonly #path: string
  readonly #file: FileHandle
  readonly #lock: Lock
  readonly #options: PartialFileOptions
  #isOpen = true

  private constructor(path: string, file: FileHandle, lock: Lock, options: PartialFileOptions) {
    this.#path = path
    this.#file = file
    this.#lock = lock
    this.#options = options
  }

  /** Replaces the leftover of a killed process; refuses a file in use: see `lockCopy`. */
  static async create(path: string, options: PartialFileOptions): Promise<PartialFile> {
    refuseExisting(path, options)
    const lock = lockCopy(path)
    let partial: PartialFile | undefined
    try {
      // A file or link that another user prepared must not receive the copy.
      rmSync(partialOf(path), { force: true })
      partial = new PartialFile(path, await open(partialOf(path), 'wx', 0o600), lock, options)
      await setOwnerOnly(partial.#file)
      return partial
    } catch (error) {
      if (partial === undefined) lock.release()
      else await partial.discard()
      throw error
    }
  }

  /** Writes all bytes, in a loop: on a nearly full disk, a write may be short. */
  async write(bytes: Uint8Array, position: number): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const { bytesWritten } = await this.#file.write(bytes, at, bytes.length - at, position + at)
      at += bytesWritten
    }
  }

  /** Gives the file its name. Resolves once file and name are on disk. */
  async commit(): Promise<void> {
    await this.#file.sync()
    if (!this.#isOpen) throw new Error('the copy was abandoned meanwhile')
    refuseExisting(this.#path, this.#options)
    await rename(partialOf(this.#path), this.#path)
    await this.#close()
    await syncDirectory(dirname(this.#path))
  }

  /** Removes the unfinished file. Does nothing once the file has its name. */
  async discard(): Promise<void> {
    if (!this.#isOpen) return
    rmSync(partialOf(this.#path), { force: true })
    await this.#close()
  }

  async #close(): Promise<void> {
    this.#isOpen = false
    try {
      await this.#file.close()
    } finally {
      this.#lock.release()
    }
  }
}

/** Returns an error with a sentence for an error that occurred while a file was written. */
export function writeProblem(path: string, error: unknown): Error {
  if (error instanceof FatalError) return error
  return new FatalError(`${path} was not made: ${reasonOf(errorCode(error))}`, { cause: error })

  function reasonOf(code: string): string {
    if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code))
      return `the disk is full. Free space in ${dirname(path)}, or write the copy elsewhere; no file was left behind.`
    if (['ENOENT', 'ENOTDIR'].includes(code)) return `there is no folder ${dirname(path)}. Create it first.`
    return `${errorMessage(error)}. Fix that, then try again; no file was left behind.`
  }
}

function refuseExisting(path: string, { isReplacing = false }: PartialFileOptions): void {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined || (isReplacing && found.isFile())) return
  throw new FatalError(
    found.isFile()
      ? `${path} already exists, and was not changed. Choose another name, or remove it first.`
      : `${path} exists and is not a file. Choose another name.`,
  )
}

/**
 * Sets mode 0600, because the umask may have removed more. File systems without modes (vfat) refuse
 * with EPERM.
 */
async function setOwnerOnly(file: FileHandle): Promise<void> {
  try {
    await file.chmod(0o600)
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'ENOSYS'].includes(errorCode(error))) throw error
  }
}

/**
 * Syncs a directory, so that names in it survive a power loss. Some network file systems refuse
 * with EINVAL.
 */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } catch (error) {
    if (errorCode(error) !== 'EINVAL') throw error
  } finally {
    await directory.close()
  }
}

function partialOf(path: string): string {
  return `${path}.partial`
}
