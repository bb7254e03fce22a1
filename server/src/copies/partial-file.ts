import { lstatSync, rmSync } from 'node:fs'
import { open, rename, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from '../db/errors.ts'
import { errorMessage, FatalError } from '../errors.ts'
import type { Lock } from '../processes/data-dir.ts'
import { lockCopy } from './copy-lock.ts'

export type PartialFileOptions = {
  /** Without it an existing file is refused. */
  isReplacing?: boolean
}

/**
 * A file of mode 0600 that is `PATH.partial` until it is whole. Methods throw what the file system
 * throws, or a FatalError; `writeProblem` makes a sentence of both, and the caller discards
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

  /**
   * Replaces the leftover of a killed process, and refuses a file that a living one writes: see
   * `lockCopy`.
   */
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

  /** Loops, as a write may be short on a nearly full disk. */
  async write(bytes: Uint8Array, position: number): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const { bytesWritten } = await this.#file.write(bytes, at, bytes.length - at, position + at)
      at += bytesWritten
    }
  }

  /** Resolves when the file has its name and both are on the disk. */
  async giveName(): Promise<void> {
    await this.#file.sync()
    if (!this.#isOpen) throw new Error('it was abandoned meanwhile')
    refuseExisting(this.#path, this.#options)
    await rename(partialOf(this.#path), this.#path)
    await this.#close()
    await syncDirectory(dirname(this.#path))
  }

  /** Does nothing once the file has its name. */
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

/** An error while a file was written, as a sentence. */
export function writeProblem(path: string, error: unknown): Error {
  if (error instanceof FatalError) return error
  return new FatalError(`${path} was not made: ${reasonOf(errorCode(error))}`, { cause: error })

  function reasonOf(code: string): string {
    if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code))
      return `there is no room left. Free some in ${dirname(path)}, or write the copy elsewhere; nothing was left behind.`
    if (['ENOENT', 'ENOTDIR'].includes(code)) return `there is no folder ${dirname(path)}. Make it first.`
    return `${errorMessage(error)}. Mend that, then try again; nothing was left behind.`
  }
}

function refuseExisting(path: string, { isReplacing = false }: PartialFileOptions): void {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined || (isReplacing && found.isFile())) return
  throw new FatalError(
    found.isFile()
      ? `${path} exists already and was left as it is. Give another name, or remove it first.`
      : `${path} exists and is not a file. Give another name.`,
  )
}

/** The umask may have removed more. File systems without modes (vfat) refuse with EPERM. */
async function setOwnerOnly(file: FileHandle): Promise<void> {
  try {
    await file.chmod(0o600)
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'ENOSYS'].includes(errorCode(error))) throw error
  }
}

/** Makes the name outlive a power cut. Some network file systems refuse with EINVAL. */
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
