import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from './file-bytes.ts'

const name = 'closed.json'

/** Left by a process that closes the files of scans in order. */
type ClosedMark = {
  /** The revision of the manifest: after any change it is another one. */
  revision: string
  /** The folder itself: that of a copy is another one, and its files were never read. */
  folder: string
}

/** Notes that all listed files were written or read whole by the process that ends now. */
export async function markClosed(folder: string, revision: string): Promise<void> {
  const mark: ClosedMark = { revision, folder: await identityOf(folder) }
  await replaceFile(join(folder, name), JSON.stringify(mark))
}

/** Whether nothing has happened to the listed files since they were closed in order. */
export async function isClosedAt(folder: string, revision: string): Promise<boolean> {
  try {
    const mark = JSON.parse(await readFile(join(folder, name), 'utf8')) as Partial<ClosedMark>
    return mark.revision === revision && mark.folder === (await identityOf(folder))
  } catch {
    // Without a mark that can be read, all files are.
    return false
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
