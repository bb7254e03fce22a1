import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Returns the folders below a root of journals, in the order of their names: those of each front,
 * and that of the kept rows. Throws errors of the file system.
 */
export async function journalFolders(journalRoot: string): Promise<string[]> {
  try {
    const entries = await readdir(journalRoot, { withFileTypes: true })
    return entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(journalRoot, name))
      .toSorted()
  } catch (error) {
    // The root does not exist before the first front has started.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
