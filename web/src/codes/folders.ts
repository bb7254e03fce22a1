import type { Folder } from '@everscan/client/create-client.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../session/api.ts'

/** That are read at once; more would not be found by looking through them anyway. */
export const foldersReadMax = 1_000

/** The folders of an organization, the newest `foldersReadMax`. */
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

/** A folder at the top, with those in it. */
export type FolderBranch = { folder: Folder; children: Folder[] }

const byName = new Intl.Collator(undefined, { numeric: true })

/** Folders as they nest, each level by name. Those whose parent was not read stand at the top. */
export function folderTree(folders: readonly Folder[]): FolderBranch[] {
  const sorted = folders.toSorted((one, other) => byName.compare(one.name, other.name))
  const ids = new Set(folders.map(({ id }) => id))
  const isChild = ({ parentId }: Folder) => parentId !== null && ids.has(parentId)
  return sorted
    .filter((folder) => !isChild(folder))
    .map((folder) => ({ folder, children: sorted.filter(({ parentId }) => parentId === folder.id) }))
}
