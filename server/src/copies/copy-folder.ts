import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readCopyHead } from './copy-file-reader.ts'

const namePattern = /^everscan-\d{8}T\d{6}Z\.copy$/

/** Returns a name such as `everscan-20261123T041500Z.copy`; names sort by time. */
export function copyName(nowMs: number): string {
  const time = new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')
  return `everscan-${time}Z.copy`
}

/** Returns the names of copies in a folder, newest first. */
export async function copiesIn(dir: string): Promise<string[]> {
  return (await readdir(dir))
    .filter((name) => namePattern.test(name))
    .toSorted()
    .toReversed()
}

/**
 * Removes all copies but the `keep` newest, and returns the names of those it removed. Files that
 * are not copies, whatever their name, stay and do not count.
 */
export async function removeOldCopies(dir: string, keep: number): Promise<string[]> {
  const removed: string[] = []
  let kept = 0
  for (const name of await copiesIn(dir)) {
    if (!(await isCopy(join(dir, name)))) continue
    if (kept++ < keep) continue
    await rm(join(dir, name), { force: true })
    removed.push(name)
  }
  return removed
}

async function isCopy(path: string): Promise<boolean> {
  try {
    await readCopyHead(path)
    return true
  } catch {
    return false
  }
}
