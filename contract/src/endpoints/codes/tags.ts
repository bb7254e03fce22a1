import { OrganizationParams } from '../../schema/common.ts'
import { ListTagsQuery, TagPage } from '../../resources/tags.ts'
import { endpoint } from '../endpoint.ts'

export const tags = {
  list: endpoint({
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
  }),
}
