import { OrganizationParams, RecordParams, Deleted } from '../../schema/common.ts'
import {
  CreateSavedStyle,
  SavedStyle,
  SavedStylePage,
  UpdateSavedStyle,
} from '../../resources/saved-styles.ts'
import { PageQuery } from '../../schema/pages.ts'
import { endpoint } from '../endpoint.ts'
import { idempotencyKey, replayed, location } from '../headers.ts'

const tag = 'Styles'
const collection = '/organizations/:orgId/styles'
const one = `${collection}/:id` as const

export const styles = {
  create: endpoint({
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
    requestHeaders: idempotencyKey,
    status: 201,
    response: SavedStyle,
    responseHeaders: {
      ...location,
      ...replayed,
    },
    errors: [409, 422],
  }),

  list: endpoint({
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
  }),

  read: endpoint({
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
  }),

  update: endpoint({
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
  }),

  remove: endpoint({
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
  }),
}
