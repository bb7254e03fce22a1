import type { Folder } from '@everscan/client/create-client.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../session/api.ts'
import { currentLocale } from '../words/chosen-language.ts'

/** Pages that are read at the same time. */
const pagesAtOnce = 4

/** Stands for the codes that are in no folder. */
export const unfiled = 'none'

/** Returns the query of all folders of an organization. */
export const foldersQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['folders', orgId],
    queryFn: async ({ signal }) => {
      const read = async (page: number) =>
        api.folders.list(orgId, { page, limit: limits.pageLimitMax }, { signal })
      const first = await read(1)
      // A folder that is created meanwhile moves others to the next page.
      const folders = new Map(first.data.map((folder) => [folder.id, folder]))
      const { totalPages } = first.pagination
      for (let page = 2; page <= totalPages; page += pagesAtOnce) {
        const pages = Array.from({ length: Math.min(pagesAtOnce, totalPages - page + 1) }, async (_, at) =>
          read(page + at),
        )
        for (const { data } of await Promise.all(pages))
          for (const folder of data) folders.set(folder.id, folder)
      }
      return [...folders.values()]
    },
  })

/** Returns the query of one folder, whose name shows before all others are read. */
export const folderQuery = (orgId: string, id: string | null | undefined) =>
  queryOptions({
    queryKey: ['folders', orgId, 'one', id],
    queryFn: async ({ signal }) => api.folders.read(orgId, id ?? '', { signal }),
    enabled: typeof id === 'string' && id !== unfiled,
  })

/** A top-level folder with its subfolders. */
export type FolderBranch = { folder: Folder; children: Folder[] }

const byName = new Intl.Collator(currentLocale(), { numeric: true })

/**
 * Returns folders as they nest, each level sorted by name. Folders whose parent was not read are at
 * the top.
 */
export function folderTree(folders: readonly Folder[]): FolderBranch[] {
  const sorted = folders.toSorted((one, other) => byName.compare(one.name, other.name))
  const ids = new Set(folders.map(({ id }) => id))
  const isChild = ({ parentId }: Folder) => parentId !== null && ids.has(parentId)
  const children = Map.groupBy(sorted.filter(isChild), ({ parentId }) => parentId)
  return sorted
    .filter((folder) => !isChild(folder))
    .map((folder) => ({ folder, children: children.get(folder.id) ?? [] }))
}
