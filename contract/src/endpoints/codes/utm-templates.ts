import { limits } from '../../schema/limits.ts'
import { OrganizationParams, RecordParams, Deleted } from '../../schema/common.ts'
import {
  CreateUtmTemplate,
  UtmTemplate,
  UtmTemplatePage,
  UpdateUtmTemplate,
} from '../../utm/utm-templates.ts'
import { PageQuery } from '../../schema/pages.ts'
import { endpoint } from '../endpoint.ts'
import { idempotencyKey, replayed, location } from '../headers.ts'

const tag = 'UTM templates'
const collection = '/organizations/:orgId/utm-templates'
const one = `${collection}/:id` as const

export const utmTemplates = {
  create: endpoint({
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
    requestHeaders: idempotencyKey,
    status: 201,
    response: UtmTemplate,
    responseHeaders: {
      ...location,
      ...replayed,
    },
    errors: [409],
  }),

  list: endpoint({
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
  }),

  read: endpoint({
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
  }),

  update: endpoint({
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
  }),

  remove: endpoint({
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
  }),
}
