import { OrganizationParams } from '@everscan/contract/schema/common.ts'
import { paginationOf } from '@everscan/contract/schema/pages.ts'
import { ListTagsQuery, TagPage } from '@everscan/contract/resources/tags.ts'
import { listTags } from '../../catalogue/codes/tags.ts'
import { endpoint } from '../http/endpoint.ts'
import { pageOf } from '../http/pages.ts'

export const list = endpoint({
  id: 'listTags',
  method: 'GET',
  path: '/organizations/:orgId/tags',
  role: 'VIEWER',
  scope: 'codes:read',
  tag: 'Tags',
  summary: "List the tags of the organization's codes, most used first.",
  params: OrganizationParams,
  query: ListTagsQuery,
  readsMuch: true,
  status: 200,
  response: TagPage,
  handle: async ({ db }, _caller, { params, query }) => {
    const page = pageOf(query)
    const { rows, total } = await listTags(db, params.orgId, { ...page, search: query.search })
    const data = rows.map(({ tag, count }) => ({ tag, qrCodeCount: count }))
    return { data, pagination: paginationOf(total, page) }
  },
})
