import { styles } from '@everscan/contract/endpoints/styles/saved-styles.ts'
import { paginationOf } from '@everscan/contract/schema/pages.ts'
import type { SavedStyle } from '@everscan/contract/resources/saved-styles.ts'
import {
  createSavedStyle,
  deleteSavedStyle,
  listSavedStyles,
  readSavedStyle,
  updateSavedStyle,
  type SavedStyleRow,
} from '../../catalogue/codes/saved-styles.ts'
import { Answer, handler } from '../http/handler.ts'
import { pageOf } from '../http/pages.ts'
import { acceptQrCodeStyle } from '../../product/styles/qr-code-styles.ts'
import { notFound } from '../../request-errors.ts'
import { savedStyleRecord } from '../../product/records/saved-style-records.ts'

export const create = handler(styles.create, {
  prepare: async ({ config, work }, _caller, { body }) =>
    (await acceptQrCodeStyle(body.style, { publicUrl: config.publicUrl, work })).style,
  handle: async ({ db, clock }, { origin }, { params, body }, style) => {
    const draft = { name: body.name, style, isDefault: body.isDefault ?? false, origin, nowMs: clock() }
    const row = await createSavedStyle(db, params.orgId, draft)
    const location = `/api/v1/organizations/${row.organizationId}/styles/${row.id}`
    return new Answer(savedStyleRecord(row), { location })
  },
})

export const list = handler(styles.list, {
  handle: async ({ db }, _caller, { params, query }) => {
    const page = pageOf(query)
    const { rows, total } = await listSavedStyles(db, params.orgId, page)
    return { data: rows.map(savedStyleRecord), pagination: paginationOf(total, page) }
  },
})

export const read = handler(styles.read, {
  handle: async ({ db }, _caller, { params }) =>
    recordOf(await readSavedStyle(db, { organizationId: params.orgId, id: params.id })),
})

export const update = handler(styles.update, {
  handle: async ({ db, config, clock, work }, { origin }, { params, body }) => {
    const key = { organizationId: params.orgId, id: params.id }
    const before = await readSavedStyle(db, key)
    if (before === undefined) throw notFound()
    const { publicUrl } = config
    const accepted =
      body.style && (await acceptQrCodeStyle(body.style, { publicUrl, storedStyles: [before.style], work }))
    return recordOf(
      await updateSavedStyle(db, key, { ...body, style: accepted?.style, origin, nowMs: clock() }),
    )
  },
})

export const remove = handler(styles.remove, {
  handle: async ({ db, clock }, { origin }, { params }) => {
    const key = { organizationId: params.orgId, id: params.id }
    const row = await deleteSavedStyle(db, key, { origin, nowMs: clock() })
    if (row === undefined) throw notFound()
    return { id: row.id, deleted: true as const }
  },
})

function recordOf(row: SavedStyleRow | undefined): SavedStyle {
  if (row === undefined) throw notFound()
  return savedStyleRecord(row)
}
