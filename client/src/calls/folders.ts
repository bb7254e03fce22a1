// `npm run generate` writes this file from the table of endpoints.
import type {
  CreateFolder,
  Folder,
  FolderPage,
  ListFoldersQuery,
  UpdateFolder,
} from '@everscan/contract/resources/folders.ts'
import type { Deleted } from '@everscan/contract/schema/common.ts'
import { once, type CreateOptions, type Service } from '../calling.ts'
import { iterate } from '../iterate.ts'
import { pathOf, readJson, type CallOptions } from '../send.ts'

export function foldersOf({ send }: Service) {
  const calls = {
    /** Create a folder. Folders nest one level: the parent must be at the top level. */
    async create(orgId: string, body: CreateFolder, options?: CreateOptions): Promise<Folder> {
      const path = pathOf`/organizations/${orgId}/folders`
      return readJson(await send({ method: 'POST', path, body, ...once(options), options }))
    },

    /** List the folders of the organization, newest first. */
    async list(orgId: string, query: ListFoldersQuery = {}, options?: CallOptions): Promise<FolderPage> {
      const path = pathOf`/organizations/${orgId}/folders`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /**
     * Yields every record of the list, page by page. If records are deleted meanwhile, it may skip
     * others: collect them first, then delete.
     */
    iterate(
      orgId: string,
      query: Omit<ListFoldersQuery, 'page'> = {},
      options?: CallOptions,
    ): AsyncGenerator<Folder, void, undefined> {
      return iterate(({ page, limit }) => calls.list(orgId, { limit, ...query, page }, options))
    },

    /** Read a folder. */
    async read(orgId: string, id: string, options?: CallOptions): Promise<Folder> {
      const path = pathOf`/organizations/${orgId}/folders/${id}`
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /** Rename or move a folder. Partial: fields that are not sent stay unchanged. */
    async update(orgId: string, id: string, body: UpdateFolder, options?: CallOptions): Promise<Folder> {
      const path = pathOf`/organizations/${orgId}/folders/${id}`
      return readJson(await send({ method: 'PUT', path, body, idempotent: true, options }))
    },

    /**
     * Delete a folder, but none of its codes. Its codes are then in no folder, and its subfolders
     * move to the top level.
     */
    async delete(orgId: string, id: string, options?: CallOptions): Promise<Deleted> {
      const path = pathOf`/organizations/${orgId}/folders/${id}`
      return readJson(await send({ method: 'DELETE', path, idempotent: true, options }))
    },
  }
  return calls
}
