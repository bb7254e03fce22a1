import { OrganizationParams, RecordParams } from '@everscan/contract/schema/common.ts'
import { Deleted } from '@everscan/contract/schema/common.ts'
import {
  CreateFolder,
  Folder,
  FolderPage,
  ListFoldersQuery,
  UpdateFolder,
} from '@everscan/contract/resources/folders.ts'
import { paginationOf } from '@everscan/contract/schema/pages.ts'
import { deleteFolder } from '../../catalogue/codes/folder-deletion.ts'
import {
  countFolders,
  createFolder,
  folderNameTaken,
  listFolders,
  readFolder,
  updateFolder,
  type FolderCounts,
  type FolderRow,
} from '../../catalogue/codes/folders.ts'
import type { Database } from '../../db/database.ts'
import { Answer, endpoint } from '../http/endpoint.ts'
import { pageOf } from '../http/pages.ts'
import { notFound } from '../../request-errors.ts'
import { timestamp } from '../../product/records/timestamps.ts'

const tag = 'Folders'
const collection = '/organizations/:orgId/folders'
const one = `${collection}/:id` as const

export const create = endpoint({
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
  requestHeaders: {
    'Idempotency-Key': 'Any text; a repeat within 24 hours returns the first response.',
  },
  status: 201,
  response: Folder,
  responseHeaders: {
    Location: 'URL of the record.',
    'Idempotent-Replayed': 'true if this repeats the first response.',
  },
  errors: [409],
  handle: async ({ db, clock }, { origin }, { params, body }) => {
    const row = await createFolder(db, params.orgId, { ...body, origin, nowMs: clock() })
    if (row === undefined) throw folderNameTaken()
    const location = `/api/v1/organizations/${row.organizationId}/folders/${row.id}`
    return new Answer(folderRecord(row, { own: 0, below: 0 }), { location })
  },
})

export const list = endpoint({
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
  handle: async ({ db }, _caller, { params, query }) => {
    const page = pageOf(query)
    const { rows, total } = await listFolders(db, params.orgId, { ...query, ...page })
    return { data: await recordsOf(db, rows), pagination: paginationOf(total, page) }
  },
})

export const read = endpoint({
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
  handle: async ({ db }, _caller, { params }) =>
    recordOf(db, await readFolder(db, { organizationId: params.orgId, id: params.id })),
})

export const put = endpoint({
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
  handle: async ({ db, clock }, { origin }, { params, body }) => {
    const key = { organizationId: params.orgId, id: params.id }
    return recordOf(db, await updateFolder(db, key, { ...body, origin, nowMs: clock() }))
  },
})

export const remove = endpoint({
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
  handle: async ({ db, clock }, { origin }, { params }) => {
    const key = { organizationId: params.orgId, id: params.id }
    const row = await deleteFolder(db, key, { origin, nowMs: clock() })
    if (row === undefined) throw notFound()
    return { id: row.id, deleted: true as const }
  },
})

async function recordOf(db: Database, row: FolderRow | undefined): Promise<Folder> {
  const [record] = row === undefined ? [] : await recordsOf(db, [row])
  if (record === undefined) throw notFound()
  return record
}

async function recordsOf(db: Database, rows: readonly FolderRow[]): Promise<Folder[]> {
  const ids = rows.map(({ id }) => id)
  const counts = await countFolders(db, rows[0]?.organizationId ?? '', ids)
  return rows.map((row) => folderRecord(row, counts.get(row.id) ?? { own: 0, below: 0 }))
}

function folderRecord(row: FolderRow, { own, below }: FolderCounts): Folder {
  const { id, name, parentId, createdAtMs, updatedAtMs } = row
  return {
    id,
    name,
    parentId,
    qrCodeCount: own,
    qrCodesBelow: below,
    createdAt: timestamp(createdAtMs),
    updatedAt: timestamp(updatedAtMs),
  }
}
