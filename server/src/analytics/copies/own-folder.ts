import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

const prefix = 'copy-'
/** No copy takes this long. */
const leftOverMs = 2 * 86_400_000

/**
 * Calls `work` with a new folder in another one, and removes it afterwards, and with it what killed
 * processes have left there. Several processes may do so at a time.
 */
export async function withOwnFolder<Result>(
  parent: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  await mkdir(parent, { recursive: true, mode: 0o700 })
  for (const name of await readdir(parent)) if (name.startsWith(prefix)) await removeOld(join(parent, name))
  const folder = await mkdtemp(join(parent, prefix))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function removeOld(path: string): Promise<void> {
  const stats = await stat(path).catch(() => undefined)
  if (stats !== undefined && Date.now() - stats.mtimeMs > leftOverMs)
    await rm(path, { recursive: true, force: true })
}
