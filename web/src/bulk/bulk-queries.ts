import { queryOptions } from '@tanstack/react-query'
import type { UtmTemplate } from '@everscan/client/create-client.ts'
import type { SavedStyle } from '@everscan/contract/resources/saved-styles.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { foldersQuery, folderTree } from '../codes/folders.ts'
import { savedStylesQuery } from '../editor/editor-queries.ts'
import { api, queries } from '../session/api.ts'
import type { FolderLabel } from './bulk-csv.ts'
import { bulkRow, type BulkRow } from './bulk-rows.ts'

/** Everything that the table shows, as it was read. */
export type BulkTable = { rows: BulkRow[]; folders: FolderLabel[]; styles: SavedStyle[] }

/** Returns the query of a table. It is read once: the user's changes are based on it. */
export const bulkTableQuery = (orgId: string, ids: readonly string[]) =>
  queryOptions({
    queryKey: ['bulk', orgId, ids],
    queryFn: async ({ signal }): Promise<BulkTable> => {
      const [folders, styles] = await Promise.all([
        queries.fetchQuery(foldersQuery(orgId)),
        queries.fetchQuery(savedStylesQuery(orgId)),
      ])
      const rows = await readRows(orgId, { ids, styles, signal })
      return { rows, folders: folderLabels(folders), styles }
    },
    staleTime: Infinity,
    gcTime: 0,
  })

export const utmTemplatesQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['utm-templates', orgId],
    queryFn: async ({ signal }): Promise<UtmTemplate[]> =>
      Array.fromAsync(api.utmTemplates.iterate(orgId, { signal })),
  })

type Wanted = {
  ids?: readonly string[]
  shortCodes?: readonly string[]
  styles: readonly SavedStyle[]
  signal?: AbortSignal
}

/** Reads codes with their ETags. Codes that do not exist are left out. */
export async function readRows(
  orgId: string,
  { ids = [], shortCodes = [], styles, signal }: Wanted,
): Promise<BulkRow[]> {
  const wanted = [...ids.map((id) => ({ id })), ...shortCodes.map((shortCode) => ({ shortCode }))]
  const rows = new Map<string, BulkRow>()
  for (let start = 0; start < wanted.length; start += limits.batchReadMax) {
    const some = wanted.slice(start, start + limits.batchReadMax)
    const part = {
      ids: some.flatMap((one) => ('id' in one ? [one.id] : [])),
      shortCodes: some.flatMap((one) => ('shortCode' in one ? [one.shortCode] : [])),
    }
    const { data, etags } = await api.batches.read(orgId, part, { ...(signal && { signal }) })
    for (const [index, code] of data.entries()) rows.set(code.id, bulkRow(code, etags[index] ?? '', styles))
  }
  return [...rows.values()]
}

/** Names a folder after its parent, because several may have the same name. */
function folderLabels(folders: Parameters<typeof folderTree>[0]): FolderLabel[] {
  return folderTree(folders).flatMap(({ folder, children }) => [
    { id: folder.id, name: folder.name, label: folder.name },
    ...children.map(({ id, name }) => ({ id, name, label: `${folder.name} / ${name}` })),
  ])
}
