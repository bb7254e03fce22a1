import { Deleted, OrganizationParams, RecordParams } from '@everscan/contract/schema/common.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { PageQuery, paginationOf } from '@everscan/contract/schema/pages.ts'
import {
  CreateUtmTemplate,
  UpdateUtmTemplate,
  UtmTemplate,
  UtmTemplatePage,
} from '@everscan/contract/utm/utm-templates.ts'
import {
  createUtmTemplate,
  deleteUtmTemplate,
  listUtmTemplates,
  readUtmTemplate,
  updateUtmTemplate,
  type UtmTemplateRow,
} from '../../catalogue/codes/utm-templates.ts'
import { utmTemplateRecord } from '../../product/records/utm-template-records.ts'
import { Answer, endpoint } from '../http/endpoint.ts'
import { pageOf } from '../http/pages.ts'
import { notFound } from '../../request-errors.ts'

const tag = 'UTM templates'
const collection = '/organizations/:orgId/utm-templates'
const one = `${collection}/:id` as const

export const create = endpoint({
  id: 'createUtmTemplate',
  method: 'POST',
  path: collection,
  role: 'EDITOR',
  scope: 'codes:write',
  tag,
  summary: 'Save UTM parameters under a name.',
  description: `At most ${limits.utmTemplatesMax} for each organization. At least one value is required.`,
  params: OrganizationParams,
  body: CreateUtmTemplate,
  idempotent: true,
  requestHeaders: {
    'Idempotency-Key': 'Any text; a repeat within 24 hours returns the first response.',
  },
  status: 201,
  response: UtmTemplate,
  responseHeaders: {
    Location: 'URL of the record.',
    'Idempotent-Replayed': 'true if this repeats the first response.',
  },
  errors: [409],
  handle: async ({ db, clock }, { origin }, { params, body }) => {
    const { name, source = null, medium = null, campaign = null, term = null, content = null } = body
    const values = { source, medium, campaign, term, content }
    const row = await createUtmTemplate(db, params.orgId, { name, values, origin, nowMs: clock() })
    const location = `/api/v1/organizations/${row.organizationId}/utm-templates/${row.id}`
    return new Answer(utmTemplateRecord(row), { location })
  },
})

export const list = endpoint({
  id: 'listUtmTemplates',
  method: 'GET',
  path: collection,
  role: 'VIEWER',
  scope: 'codes:read',
  tag,
  summary: 'List the UTM templates of the organization, newest first.',
  params: OrganizationParams,
  query: PageQuery,
  status: 200,
  response: UtmTemplatePage,
  handle: async ({ db }, _caller, { params, query }) => {
    const page = pageOf(query)
    const { rows, total } = await listUtmTemplates(db, params.orgId, page)
    return { data: rows.map(utmTemplateRecord), pagination: paginationOf(total, page) }
  },
})

export const read = endpoint({
  id: 'readUtmTemplate',
  method: 'GET',
  path: one,
  role: 'VIEWER',
  scope: 'codes:read',
  tag,
  summary: 'Read a UTM template.',
  params: RecordParams,
  status: 200,
  response: UtmTemplate,
  handle: async ({ db }, _caller, { params }) =>
    recordOf(await readUtmTemplate(db, { organizationId: params.orgId, id: params.id })),
})

export const put = endpoint({
  id: 'updateUtmTemplate',
  method: 'PUT',
  path: one,
  role: 'EDITOR',
  scope: 'codes:write',
  tag,
  summary: 'Update a UTM template.',
  description: 'Partial; null removes a value. Codes keep their destinations.',
  params: RecordParams,
  body: UpdateUtmTemplate,
  status: 200,
  response: UtmTemplate,
  handle: async ({ db, clock }, { origin }, { params, body }) => {
    const key = { organizationId: params.orgId, id: params.id }
    return recordOf(await updateUtmTemplate(db, key, { ...body, origin, nowMs: clock() }))
  },
})

export const remove = endpoint({
  id: 'deleteUtmTemplate',
  method: 'DELETE',
  path: one,
  role: 'EDITOR',
  scope: 'codes:write',
  tag,
  summary: 'Delete a UTM template.',
  description: 'Codes keep their destinations.',
  params: RecordParams,
  status: 200,
  response: Deleted,
  handle: async ({ db, clock }, { origin }, { params }) => {
    const key = { organizationId: params.orgId, id: params.id }
    const row = await deleteUtmTemplate(db, key, { origin, nowMs: clock() })
    if (row === undefined) throw notFound()
    return { id: row.id, deleted: true as const }
  },
})

function recordOf(row: UtmTemplateRow | undefined): UtmTemplate {
  if (row === undefined) throw notFound()
  return utmTemplateRecord(row)
}
