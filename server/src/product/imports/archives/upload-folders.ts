import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** In the data directory: the folder for temporary files may be in memory. */
const uploadsName = 'uploads'

/**
 * Creates a folder for one upload. Removes those of processes that were killed, whose number is in
 * the name.
 */
export async function createUploadFolder(dataDir: string): Promise<string> {
  const uploads = join(dataDir, uploadsName)
  await mkdir(uploads, { recursive: true, mode: 0o700 })
  for (const name of await readdir(uploads))
    if (!isRunning(Number(name.split('-')[1])))
      await rm(join(uploads, name), { recursive: true, force: true })
  return mkdtemp(join(uploads, `archive-${process.pid}-`))
}

/** Removes what killed processes have left, before any process of the API is started. */
export async function removeUploads(dataDir: string): Promise<void> {
  await rm(join(dataDir, uploadsName), { recursive: true, force: true })
}

function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It is the process of another user.
    return (error as { code?: unknown }).code === 'EPERM'
  }
}
