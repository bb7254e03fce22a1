import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** The folders below a root of journals, of each front and of the kept rows, in the order of their names. Throws what the file system throws. */
export async function journalFolders(journalRoot: string): Promise<string[]> {
  try {
    const entries = await readdir(journalRoot, { withFileTypes: true })
    return entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(journalRoot, name))
      .toSorted()
  } catch (error) {
    // Before the first front has started there is no folder.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
