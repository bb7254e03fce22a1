import { limits } from '../../schema/limits.ts'
import { OrganizationParams, RecordParams } from '../../schema/common.ts'
import { CreateApiKey, CreatedApiKey, ApiKeyPage, ApiKey } from '../../resources/api-keys.ts'
import { PageQuery } from '../../schema/pages.ts'
import { endpoint } from '../endpoint.ts'

const tag = 'API keys'

export const apiKeys = {
  create: endpoint({
    id: 'createApiKey',
    method: 'POST',
    path: '/organizations/:orgId/api-keys',
    role: 'ADMIN',
    scope: 'admin',
    tag,
    summary: 'Create an API key.',
    description: `Only this response contains its value. By default the key is an EDITOR. A key that a key creates has at most its scopes, its networks and its time, and keeps working if that one is revoked. At most ${limits.apiKeysMax} keys that are neither revoked nor expired.`,
    params: OrganizationParams,
    body: CreateApiKey,
    status: 201,
    response: CreatedApiKey,
    errors: [409],
  }),

  list: endpoint({
    id: 'listApiKeys',
    method: 'GET',
    path: '/organizations/:orgId/api-keys',
    role: 'ADMIN',
    scope: 'admin',
    tag,
    summary: 'List the API keys of the organization, newest first, including revoked ones.',
    params: OrganizationParams,
    query: PageQuery,
    status: 200,
    response: ApiKeyPage,
  }),

  revoke: endpoint({
    id: 'revokeApiKey',
    method: 'DELETE',
    path: '/organizations/:orgId/api-keys/:id',
    role: 'ADMIN',
    scope: 'admin',
    tag,
    summary: 'Revoke an API key permanently.',
    description:
      'Its requests get 403 API_KEY_REVOKED from now on. The key stays in the list. Keys that it created keep working; their `madeBy` names it.',
    params: RecordParams,
    status: 200,
    response: ApiKey,
  }),
}
