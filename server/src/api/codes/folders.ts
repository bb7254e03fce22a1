import { folders } from '@everscan/contract/endpoints/codes/folders.ts'
import type { Folder } from '@everscan/contract/resources/folders.ts'
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
import { Answer, handler } from '../http/handler.ts'
import { pageOf } from '../http/pages.ts'
import { notFound } from '../../request-errors.ts'
import { timestamp } from '../../product/records/timestamps.ts'

export const create = handler(folders.create, {
  handle: async ({ db, clock }, { origin }, { params, body }) => {
    const row = await createFolder(db, params.orgId, { ...body, origin, nowMs: clock() })
    if (row === undefined) throw folderNameTaken()
    const location = `/api/v1/organizations/${row.organizationId}/folders/${row.id}`
    return new Answer(folderRecord(row, { own: 0, below: 0 }), { location })
  },
})

export const list = handler(folders.list, {
  handle: async ({ db }, _caller, { params, query }) => {
    const page = pageOf(query)
    const { rows, total } = await listFolders(db, params.orgId, { ...query, ...page })
    return { data: await recordsOf(db, rows), pagination: paginationOf(total, page) }
  },
})

export const read = handler(folders.read, {
  handle: async ({ db }, _caller, { params }) =>
    recordOf(db, await readFolder(db, { organizationId: params.orgId, id: params.id })),
})

export const update = handler(folders.update, {
  handle: async ({ db, clock }, { origin }, { params, body }) => {
    const key = { organizationId: params.orgId, id: params.id }
    return recordOf(db, await updateFolder(db, key, { ...body, origin, nowMs: clock() }))
  },
})

export const remove = handler(folders.remove, {
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
