import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { FatalError } from '../errors.ts'
import { readCopyHead } from './copy-file-reader.ts'
import type { CopyWorth } from './copy-head.ts'
import { lockCopy } from './copy-lock.ts'

const namePattern = /^everscan-\d{8}T\d{6}Z\.copy$/

/** Returns a name such as `everscan-20261123T041500Z.copy`; names sort by time. */
export function copyName(nowMs: number): string {
  const time = new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')
  return `everscan-${time}Z.copy`
}

type NamedCopy = CopyWorth & { name: string }

/** Returns the copies of an installation in a folder, newest first. Other files are left out. */
async function copiesIn(dir: string, own: string): Promise<NamedCopy[]> {
  const names = (await readdir(dir)).filter((name) => namePattern.test(name))
  const copies: NamedCopy[] = []
  for (const name of names.toSorted().toReversed()) {
    const head = await readCopyHead(join(dir, name)).catch(() => undefined)
    if (head === undefined) continue
    const { installation = own, hits, deletedHits, isPartial } = head
    if (installation !== own) continue
    copies.push({
      name,
      ...(hits !== undefined && { hits }),
      ...(deletedHits !== undefined && { deletedHits }),
      ...(isPartial !== undefined && { isPartial }),
    })
  }
  return copies
}

/**
 * Removes each copy that has at least `keep` newer ones which are as good. A copy that lacks scans,
 * or has fewer than an older one, never replaces that one. Returns the names of the removed copies,
 * and of those beyond the `keep` newest that stay. Other files, also copies of other installations,
 * stay and do not count.
 */
export async function removeOldCopies(
  dir: string,
  { keep, installation }: { keep: number; installation: string },
): Promise<{ removed: string[]; spared: string[] }> {
  const copies = await copiesIn(dir, installation)
  const old = copies.map((copy, index) => ({
    ...copy,
    isReplaced: copies.slice(0, index).filter((newer) => isAsGood(newer, copy)).length >= keep,
  }))
  const removed = old.filter(({ isReplaced }) => isReplaced).map(({ name }) => name)
  const spared = old.slice(keep).filter(({ isReplaced }) => !isReplaced)
  for (const name of removed) await rm(join(dir, name), { force: true })
  return { removed, spared: spared.map(({ name }) => name) }
}

/**
 * Removes what killed processes left of copies in a folder, which nothing would replace: each copy
 * has a name of its own. Files that another process writes stay.
 */
export async function removeLeftovers(dir: string): Promise<void> {
  const ending = '.partial'
  for (const file of await readdir(dir)) {
    const name = file.endsWith(ending) ? file.slice(0, -ending.length) : ''
    if (!namePattern.test(name)) continue
    try {
      const lock = lockCopy(join(dir, name))
      await rm(join(dir, file), { force: true }).finally(() => lock.release())
    } catch (error) {
      if (!(error instanceof FatalError)) throw error
    }
  }
}

/** Copies of earlier releases do not say how many hits they have: they count as complete. */
function isAsGood(one: CopyWorth, other: CopyWorth): boolean {
  if (one.isPartial === true && other.isPartial !== true) return false
  const [ofOne, ofOther] = [everHits(one), everHits(other)]
  return ofOne === undefined || ofOther === undefined || ofOne >= ofOther
}

/** Hits that a copy has, and those that the retention had deleted: this number never decreases. */
function everHits({ hits, deletedHits = 0 }: CopyWorth): number | undefined {
  return hits === undefined ? undefined : hits + deletedHits
}

/** A copy has `hits` fewer hits than the one before, and the retention did not delete them. */
export type FewerHits = { hits: number; before: string }

/** Compares a copy with the next older one in its folder. */
export async function fewerThanBefore(
  dir: string,
  { name, installation }: { name: string; installation: string },
): Promise<FewerHits | undefined> {
  const copies = await copiesIn(dir, installation)
  const index = copies.findIndex((copy) => copy.name === name)
  const [made, before] = [copies[index], copies[index + 1]]
  if (index < 0 || made === undefined || before === undefined) return undefined
  const hits = (everHits(before) ?? 0) - (everHits(made) ?? Infinity)
  return hits > 0 ? { hits, before: before.name } : undefined
}
