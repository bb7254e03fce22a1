import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { FatalError } from '../errors.ts'
import { readIdentity, writeDurably } from './identity-file.ts'

/** File in each journal folder that names its installation; earlier releases wrote none. */
const markName = 'installation'
const markPattern = /^(ins_[0-9a-z]+)\n$/

/** The path of a journal folder, and the installation that it belongs to. */
export type OwnedFolder = { dir: string; installation: string }

/** Returns the installation that a journal folder belongs to; undefined if it is unknown. */
export function journalOwner(dir: string): string | undefined {
  try {
    return markPattern.exec(readFileSync(join(dir, markName), 'latin1'))?.[1]
  } catch {
    return undefined
  }
}

/** Returns the folders below a journal root that belong to another installation. */
export function foreignJournals(journalRoot: string, installation: string): OwnedFolder[] {
  return foldersIn(journalRoot).flatMap((dir) => {
    const owner = journalOwner(dir)
    return owner === undefined || owner === installation ? [] : [{ dir, installation: owner }]
  })
}

/**
 * Marks all folders below a journal root as those of this installation, and creates missing folders
 * of `names`. Throws errors of the file system.
 */
export function markJournals(journalRoot: string, installation: string, names: readonly string[] = []): void {
  for (const name of names) mkdirSync(join(journalRoot, name), { recursive: true, mode: 0o700 })
  for (const dir of foldersIn(journalRoot))
    if (journalOwner(dir) !== installation) writeDurably(join(dir, markName), `${installation}\n`)
}

/** Whether a journal folder belongs to another installation than its data directory. */
export function hasForeignJournals(dataDir: string): boolean {
  const own = readIdentity(dataDir)
  return own !== undefined && foreignJournals(join(dataDir, 'journal'), own.installation).length > 0
}

/** Throws a `FatalError` if a journal folder belongs to another installation. */
export function refuseForeignJournals(dataDir: string, installation: string): void {
  const [foreign] = foreignJournals(join(dataDir, 'journal'), installation)
  if (foreign !== undefined) throw new FatalError(foreignJournal(foreign), { adopts: 'data-dir' })
}

/** Returns why a journal folder is foreign, with a remedy; undefined if it is not. */
export function journalRefusal(dir: string, installation: string | undefined): Problem | undefined {
  const owner = journalOwner(dir)
  if (owner === undefined || owner === installation) return undefined
  return foreignJournal({ dir, installation: owner })
}

function foreignJournal({ dir, installation: owner }: OwnedFolder): Problem {
  return problem('journalForeign', { dir, owner })
}

function foldersIn(journalRoot: string): string[] {
  try {
    const entries = readdirSync(journalRoot, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(journalRoot, name))
  } catch (error) {
    // Before the first start the folder does not exist.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
