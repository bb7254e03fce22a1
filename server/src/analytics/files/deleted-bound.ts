import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from './file-bytes.ts'

const name = 'deleted.json'

/**
 * The time before which scans were deleted, in the folder of the files of scans: files that are put
 * back by hand, or an older catalogue, then do not bring deleted scans back.
 */
export class DeletedBound {
  readonly #folder: string
  #beforeMs: number

  private constructor(folder: string, beforeMs: number) {
    this.#folder = folder
    this.#beforeMs = beforeMs
  }

  /** Reads the bound. Throws errors of the file system. Without a file nothing was deleted. */
  static async open(folder: string): Promise<DeletedBound> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return new DeletedBound(folder, await read(join(folder, name)))
  }

  /** 0 if nothing was deleted. */
  get beforeMs(): number {
    return this.#beforeMs
  }

  /** Makes another bound durable. After an error of the file system, it is either of the two. */
  async set(beforeMs: number): Promise<void> {
    if (beforeMs === this.#beforeMs) return
    await replaceFile(join(this.#folder, name), JSON.stringify({ beforeMs }))
    this.#beforeMs = beforeMs
  }
}

async function read(path: string): Promise<number> {
  try {
    const { beforeMs } = JSON.parse(await readFile(path, 'utf8')) as { beforeMs?: unknown }
    return typeof beforeMs === 'number' && Number.isSafeInteger(beforeMs) ? beforeMs : 0
  } catch (error) {
    // The catalogue has the bound too, so a damaged file needs nobody.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}
