import { OrganizationParams, RecordParams, Deleted } from '../../schema/common.ts'
import { CreateFolder, Folder, ListFoldersQuery, FolderPage, UpdateFolder } from '../../resources/folders.ts'
import { endpoint } from '../endpoint.ts'
import { idempotencyKey, replayed, location } from '../headers.ts'

const tag = 'Folders'
const collection = '/organizations/:orgId/folders'
const one = `${collection}/:id` as const

export const folders = {
  create: endpoint({
    id: 'createFolder',
    method: 'POST',
    path: collection,
    role: 'EDITOR',
    scope: 'codes:write',
    tag,
    summary: 'Create a folder.',
    description: 'Folders nest one level: the parent must be at the top level.',
    params: OrganizationParams,
    body: CreateFolder,
    idempotent: true,
    requestHeaders: idempotencyKey,
    status: 201,
    response: Folder,
    responseHeaders: {
      ...location,
      ...replayed,
    },
    errors: [409],
  }),

  list: endpoint({
    id: 'listFolders',
    method: 'GET',
    path: collection,
    role: 'VIEWER',
    scope: 'codes:read',
    tag,
    summary: 'List the folders of the organization, newest first.',
    params: OrganizationParams,
    query: ListFoldersQuery,
    status: 200,
    response: FolderPage,
  }),

  read: endpoint({
    id: 'readFolder',
    method: 'GET',
    path: one,
    role: 'VIEWER',
    scope: 'codes:read',
    tag,
    summary: 'Read a folder.',
    params: RecordParams,
    status: 200,
    response: Folder,
  }),

  update: endpoint({
    id: 'updateFolder',
    method: 'PUT',
    path: one,
    role: 'EDITOR',
    scope: 'codes:write',
    tag,
    summary: 'Rename or move a folder.',
    description: 'Partial: fields that are not sent stay unchanged.',
    params: RecordParams,
    body: UpdateFolder,
    status: 200,
    response: Folder,
    errors: [409],
  }),

  remove: endpoint({
    id: 'deleteFolder',
    method: 'DELETE',
    path: one,
    role: 'EDITOR',
    scope: 'codes:write',
    tag,
    summary: 'Delete a folder, but none of its codes.',
    description: 'Its codes are then in no folder, and its subfolders move to the top level.',
    params: RecordParams,
    status: 200,
    response: Deleted,
    errors: [409],
  }),
}
