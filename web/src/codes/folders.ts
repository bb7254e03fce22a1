import type { Folder } from '@everscan/client/create-client.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../session/api.ts'

/** Maximum number of folders that are read. Users could not find one among more by looking. */
export const foldersReadMax = 1_000

/** Returns the query of an organization's folders, the newest `foldersReadMax`. */
export const foldersQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['folders', orgId],
    queryFn: async ({ signal }) => {
      const folders: Folder[] = []
      for await (const folder of api.folders.iterate(orgId, {}, { signal })) {
        folders.push(folder)
        if (folders.length >= foldersReadMax) break
      }
      return folders
    },
  })

/** A top-level folder with its subfolders. */
export type FolderBranch = { folder: Folder; children: Folder[] }

const byName = new Intl.Collator(undefined, { numeric: true })

/**
 * Returns folders as they nest, each level sorted by name. Folders whose parent was not read are at
 * the top.
 */
export function folderTree(folders: readonly Folder[]): FolderBranch[] {
  const sorted = folders.toSorted((one, other) => byName.compare(one.name, other.name))
  const ids = new Set(folders.map(({ id }) => id))
  const isChild = ({ parentId }: Folder) => parentId !== null && ids.has(parentId)
  return sorted
    .filter((folder) => !isChild(folder))
    .map((folder) => ({ folder, children: sorted.filter(({ parentId }) => parentId === folder.id) }))
}
