import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from './file-bytes.ts'

const name = 'closed.json'

/** Left by a process that closes the files of scans in order: nothing happened to them since. */
type ClosedMark = {
  /** The revision of the manifest: after any change it is another one. */
  revision: string
  /** The folder itself: that of a copy is another one, and its files were never read. */
  folder: string
  /** When the listed files were last read whole, but for those that were written since. */
  readAtMs: number
  /** The round of reads that was not over: when it began, and the files that were read in it. */
  round?: ReadRound
}

export type ReadRound = { sinceMs: number; read: readonly string[] }

/** When listed files were read whole. */
export type FileReads = Pick<ClosedMark, 'readAtMs' | 'round'>

/** Notes when the files that a manifest lists were last read whole. */
export async function markClosed(folder: string, revision: string, reads: FileReads): Promise<void> {
  const mark: ClosedMark = { revision, folder: await identityOf(folder), ...reads }
  await replaceFile(join(folder, name), JSON.stringify(mark))
}

/**
 * Returns when the listed files were last read whole, or undefined if something may have happened
 * to them since.
 */
export async function readsBeforeClose(folder: string, revision: string): Promise<FileReads | undefined> {
  try {
    const mark = JSON.parse(await readFile(join(folder, name), 'utf8')) as ClosedMark
    const isSame = mark.revision === revision && mark.folder === (await identityOf(folder))
    return isSame ? mark : undefined
  } catch {
    // Without a mark that can be read, all files are.
    return undefined
  }
}

/** Removes the mark: the next start reads all files, as after a stop that was not in order. */
export async function forgetClosed(folder: string): Promise<void> {
  await rm(join(folder, name), { force: true })
}

async function identityOf(folder: string): Promise<string> {
  const { dev, ino, birthtimeMs } = await stat(folder)
  return `${dev} ${ino} ${birthtimeMs}`
}
