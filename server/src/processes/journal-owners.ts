import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FatalError } from '../errors.ts'
import { readIdentity, writeDurably } from './identity-file.ts'

/** In each folder of the journals: the installation that it belongs to. Folders of earlier releases have none. */
const markName = 'installation'
const markPattern = /^(ins_[0-9a-z]+)\n$/

/** A folder of the journals, as a path, and the installation that it belongs to. */
export type OwnedFolder = { dir: string; installation: string }

/** The installation that a folder of the journals belongs to; `undefined`: that is not known. */
export function journalOwner(dir: string): string | undefined {
  try {
    return markPattern.exec(readFileSync(join(dir, markName), 'latin1'))?.[1]
  } catch {
    return undefined
  }
}

/** The folders below a root of journals that belong to another installation. */
export function foreignJournals(journalRoot: string, installation: string): OwnedFolder[] {
  return foldersIn(journalRoot).flatMap((dir) => {
    const owner = journalOwner(dir)
    return owner === undefined || owner === installation ? [] : [{ dir, installation: owner }]
  })
}

/**
 * Says of all folders below a root of journals that they belong to this installation, and makes those of `names` that are not there.
 * Throws what the file system throws.
 */
export function markJournals(journalRoot: string, installation: string, names: readonly string[] = []): void {
  for (const name of names) mkdirSync(join(journalRoot, name), { recursive: true, mode: 0o700 })
  for (const dir of foldersIn(journalRoot))
    if (journalOwner(dir) !== installation) writeDurably(join(dir, markName), `${installation}\n`)
}

/** Whether folders of the journals belong to another installation than their data directory. */
export function hasForeignJournals(dataDir: string): boolean {
  const own = readIdentity(dataDir)
  return own !== undefined && foreignJournals(join(dataDir, 'journal'), own.installation).length > 0
}

/** Throws a `FatalError` when a folder of the journals of a data directory belongs to another installation. */
export function refuseForeignJournals(dataDir: string, installation: string): void {
  const [foreign] = foreignJournals(join(dataDir, 'journal'), installation)
  if (foreign !== undefined) throw new FatalError(foreignJournalMessage(foreign))
}

/** Why a folder of the journals is not this installation's, and what to do about it; `undefined`: it is. */
export function journalRefusal(dir: string, installation: string | undefined): string | undefined {
  const owner = journalOwner(dir)
  if (owner === undefined || owner === installation) return undefined
  return foreignJournalMessage({ dir, installation: owner })
}

function foreignJournalMessage({ dir, installation }: OwnedFolder): string {
  return (
    `the journals in ${dir} belong to installation ${installation}: move the folder out of DATA_DIR. ` +
    'If its scans are to be taken in here: ./everscan adopt data-dir.'
  )
}

function foldersIn(journalRoot: string): string[] {
  try {
    const entries = readdirSync(journalRoot, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(journalRoot, name))
  } catch (error) {
    // Before the first start there is no folder.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
