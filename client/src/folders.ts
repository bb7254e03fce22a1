import type { Deleted } from '@everscan/contract/schema/common.ts'
import type {
  CreateFolder,
  Folder,
  FolderPage,
  ListFoldersQuery,
  UpdateFolder,
} from '@everscan/contract/resources/folders.ts'
import type { CreateOptions } from './qr-codes.ts'
import { iterate } from './iterate.ts'
import { pathOf, readJson, type CallOptions, type Send } from './send.ts'

/** Folders of an organization. They nest one level. */
export type Folders = ReturnType<typeof folderCalls>

export function folderCalls(send: Send) {
  async function list(
    orgId: string,
    query: ListFoldersQuery = {},
    options?: CallOptions,
  ): Promise<FolderPage> {
    const path = pathOf`/organizations/${orgId}/folders`
    return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
  }

  return {
    /**
     * Creates a folder, with `parentId` inside a top-level folder. A name that is taken there is a
     * `ConflictError`.
     */
    async create(orgId: string, body: CreateFolder, options?: CreateOptions): Promise<Folder> {
      const key = options?.idempotencyKey
      const path = pathOf`/organizations/${orgId}/folders`
      const headers = { 'idempotency-key': key }
      return readJson(
        await send({ method: 'POST', path, body, headers, idempotent: key !== undefined, options }),
      )
    },

    /** Returns a folder with the number of codes in it. */
    async read(orgId: string, id: string, options?: CallOptions): Promise<Folder> {
      const path = pathOf`/organizations/${orgId}/folders/${id}`
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /** Returns a page of folders, newest first. */
    list,

    /** Yields every folder, page by page, newest first. */
    iterate(
      orgId: string,
      query: Omit<ListFoldersQuery, 'page'> = {},
      options?: CallOptions,
    ): AsyncGenerator<Folder, void, undefined> {
      return iterate(({ page, limit }) => list(orgId, { limit, ...query, page }, options))
    },

    /** Renames or moves a folder. A null `parentId` moves it to the top level. */
    async update(orgId: string, id: string, body: UpdateFolder, options?: CallOptions): Promise<Folder> {
      const path = pathOf`/organizations/${orgId}/folders/${id}`
      return readJson(await send({ method: 'PUT', path, body, idempotent: true, options }))
    },

    /** Deletes a folder. Its codes then have no folder, and its folders move to the top level. */
    async delete(orgId: string, id: string, options?: CallOptions): Promise<Deleted> {
      const path = pathOf`/organizations/${orgId}/folders/${id}`
      return readJson(await send({ method: 'DELETE', path, idempotent: true, options }))
    },
  }
}
