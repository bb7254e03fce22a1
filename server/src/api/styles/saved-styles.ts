import { Deleted, OrganizationParams, RecordParams } from '@everscan/contract/schema/common.ts'
import { PageQuery, paginationOf } from '@everscan/contract/schema/pages.ts'
import {
  CreateSavedStyle,
  SavedStyle,
  SavedStylePage,
  UpdateSavedStyle,
} from '@everscan/contract/resources/saved-styles.ts'
import {
  createSavedStyle,
  deleteSavedStyle,
  listSavedStyles,
  readSavedStyle,
  updateSavedStyle,
  type SavedStyleRow,
} from '../../catalogue/codes/saved-styles.ts'
import { Answer, endpoint } from '../http/endpoint.ts'
import { pageOf } from '../http/pages.ts'
import { acceptQrCodeStyle } from '../../product/styles/qr-code-styles.ts'
import { notFound } from '../../request-errors.ts'
import { savedStyleRecord } from '../../product/records/saved-style-records.ts'

const tag = 'Styles'
const collection = '/organizations/:orgId/styles'
const one = `${collection}/:id` as const

export const create = endpoint({
  id: 'createStyle',
  method: 'POST',
  path: collection,
  role: 'EDITOR',
  scope: 'codes:write',
  tag,
  summary: 'Save a style under a name.',
  description:
    'The style is accepted only if its picture can be decoded. Codes created without a styleId get the default style.',
  params: OrganizationParams,
  body: CreateSavedStyle,
  idempotent: true,
  requestHeaders: {
    'Idempotency-Key': 'Any text; a repeat within 24 hours returns the first response.',
  },
  status: 201,
  response: SavedStyle,
  responseHeaders: {
    Location: 'URL of the record.',
    'Idempotent-Replayed': 'true if this repeats the first response.',
  },
  errors: [409, 422],
  prepare: async ({ config, work }, _caller, { body }) =>
    (await acceptQrCodeStyle(body.style, { publicUrl: config.publicUrl, work })).style,
  handle: async ({ db, clock }, { origin }, { params, body }, style) => {
    const draft = { name: body.name, style, isDefault: body.isDefault ?? false, origin, nowMs: clock() }
    const row = await createSavedStyle(db, params.orgId, draft)
    const location = `/api/v1/organizations/${row.organizationId}/styles/${row.id}`
    return new Answer(savedStyleRecord(row), { location })
  },
})

export const list = endpoint({
  id: 'listStyles',
  method: 'GET',
  path: collection,
  role: 'VIEWER',
  scope: 'codes:read',
  tag,
  summary: 'List the saved styles of the organization, newest first.',
  params: OrganizationParams,
  query: PageQuery,
  status: 200,
  response: SavedStylePage,
  handle: async ({ db }, _caller, { params, query }) => {
    const page = pageOf(query)
    const { rows, total } = await listSavedStyles(db, params.orgId, page)
    return { data: rows.map(savedStyleRecord), pagination: paginationOf(total, page) }
  },
})

export const read = endpoint({
  id: 'readStyle',
  method: 'GET',
  path: one,
  role: 'VIEWER',
  scope: 'codes:read',
  tag,
  summary: 'Read a saved style.',
  params: RecordParams,
  status: 200,
  response: SavedStyle,
  handle: async ({ db }, _caller, { params }) =>
    recordOf(await readSavedStyle(db, { organizationId: params.orgId, id: params.id })),
})

export const put = endpoint({
  id: 'updateStyle',
  method: 'PUT',
  path: one,
  role: 'EDITOR',
  scope: 'codes:write',
  tag,
  summary: 'Update a saved style.',
  description: 'Partial; `style` is replaced as a whole. Existing codes keep their style.',
  params: RecordParams,
  body: UpdateSavedStyle,
  status: 200,
  response: SavedStyle,
  errors: [422],
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

export const remove = endpoint({
  id: 'deleteStyle',
  method: 'DELETE',
  path: one,
  role: 'EDITOR',
  scope: 'codes:write',
  tag,
  summary: 'Delete a saved style.',
  description: 'Existing codes keep their style.',
  params: RecordParams,
  status: 200,
  response: Deleted,
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
