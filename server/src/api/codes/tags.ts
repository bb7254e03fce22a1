import { tags } from '@everscan/contract/endpoints/codes/tags.ts'
import { paginationOf } from '@everscan/contract/schema/pages.ts'
import { listTags } from '../../catalogue/codes/tags.ts'
import { handler } from '../http/handler.ts'
import { pageOf } from '../http/pages.ts'

export const list = handler(tags.list, {
  handle: async ({ db }, _caller, { params, query }) => {
    const page = pageOf(query)
    const { rows, total } = await listTags(db, params.orgId, { ...page, search: query.search })
    const data = rows.map(({ tag, count }) => ({ tag, qrCodeCount: count }))
    return { data, pagination: paginationOf(total, page) }
  },
})
