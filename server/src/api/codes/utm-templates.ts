import { utmTemplates } from '@everscan/contract/endpoints/codes/utm-templates.ts'
import { paginationOf } from '@everscan/contract/schema/pages.ts'
import type { UtmTemplate } from '@everscan/contract/utm/utm-templates.ts'
import {
  createUtmTemplate,
  deleteUtmTemplate,
  listUtmTemplates,
  readUtmTemplate,
  updateUtmTemplate,
  type UtmTemplateRow,
} from '../../catalogue/codes/utm-templates.ts'
import { utmTemplateRecord } from '../../product/records/utm-template-records.ts'
import { Answer, handler } from '../http/handler.ts'
import { pageOf } from '../http/pages.ts'
import { notFound } from '../../request-errors.ts'

export const create = handler(utmTemplates.create, {
  handle: async ({ db, clock }, { origin }, { params, body }) => {
    const { name, source = null, medium = null, campaign = null, term = null, content = null } = body
    const values = { source, medium, campaign, term, content }
    const row = await createUtmTemplate(db, params.orgId, { name, values, origin, nowMs: clock() })
    const location = `/api/v1/organizations/${row.organizationId}/utm-templates/${row.id}`
    return new Answer(utmTemplateRecord(row), { location })
  },
})

export const list = handler(utmTemplates.list, {
  handle: async ({ db }, _caller, { params, query }) => {
    const page = pageOf(query)
    const { rows, total } = await listUtmTemplates(db, params.orgId, page)
    return { data: rows.map(utmTemplateRecord), pagination: paginationOf(total, page) }
  },
})

export const read = handler(utmTemplates.read, {
  handle: async ({ db }, _caller, { params }) =>
    recordOf(await readUtmTemplate(db, { organizationId: params.orgId, id: params.id })),
})

export const update = handler(utmTemplates.update, {
  handle: async ({ db, clock }, { origin }, { params, body }) => {
    const key = { organizationId: params.orgId, id: params.id }
    return recordOf(await updateUtmTemplate(db, key, { ...body, origin, nowMs: clock() }))
  },
})

export const remove = handler(utmTemplates.remove, {
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
