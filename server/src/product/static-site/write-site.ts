import { chmod, mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { StaticFile } from './static-files.ts'

/** Says that a folder belongs to this program, which deletes what is no longer in the site. */
const markName = '.everscan-static'
/** The folders of a site. Nothing outside of them is deleted. */
const ownFolders = ['sites', 'nginx', 'caddy']

/** How many files a write changed. */
export type Written = { files: number; written: number; deleted: number }

/**
 * Brings a folder up to date with a site: writes what differs, each file at once, and deletes files
 * of codes that are gone. Files that stay the same keep their time, so that a copy to elsewhere is
 * small. Throws an Error for a folder that holds anything else, and when `signal` aborts: the
 * folder is then between two states, of which each code is in one.
 */
export async function writeSite(
  dir: string,
  files: AsyncIterable<StaticFile>,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (files: number) => void },
): Promise<Written> {
  await takeFolder(dir)
  const kept = new Set<string>()
  let written = 0
  for await (const { name, text } of files) {
    signal.throwIfAborted()
    kept.add(name)
    if (await writeIfDifferent(join(dir, name), text)) written++
    if (kept.size % 1_000 === 0) onProgress(kept.size)
  }
  let deleted = 0
  for (const folder of ownFolders) deleted += await deleteOthers(join(dir, folder), { dir, kept })
  return { files: kept.size, written, deleted }
}

async function takeFolder(dir: string): Promise<void> {
  await makeFolder(dir)
  const names = await readdir(dir)
  if (names.length > 0 && !names.includes(markName))
    throw new Error(`${dir} holds other files, which a site would overwrite: choose an empty folder.`)
  await writeFile(join(dir, markName), '')
}

/** The umask of the service hides files from other users, as web servers are. */
const modes = { file: 0o644, folder: 0o755 }

async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true })
  if (first === undefined) return
  for (let made = path; made.length >= first.length; made = dirname(made)) await chmod(made, modes.folder)
}

async function writeIfDifferent(path: string, text: string): Promise<boolean> {
  const before = await readFile(path, 'utf8').catch(() => undefined)
  if (before === text) return false
  await makeFolder(dirname(path))
  await writeFile(`${path}.new`, text)
  await chmod(`${path}.new`, modes.file)
  await rename(`${path}.new`, path)
  return true
}

/** Deletes the files that are not kept, and folders that are then empty. Returns their number. */
async function deleteOthers(
  folder: string,
  { dir, kept }: { dir: string; kept: ReadonlySet<string> },
): Promise<number> {
  let deleted = 0
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      deleted += await deleteOthers(path, { dir, kept })
      await rmdir(path).catch(() => undefined)
    } else if (!kept.has(relative(dir, path))) {
      await rm(path)
      deleted++
    }
  }
  return deleted
}
