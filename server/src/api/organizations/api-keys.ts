import { ApiKey, ApiKeyPage, CreateApiKey, CreatedApiKey } from '@everscan/contract/resources/api-keys.ts'
import { OrganizationParams, RecordParams } from '@everscan/contract/schema/common.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { PageQuery, paginationOf } from '@everscan/contract/schema/pages.ts'
import {
  type ApiKeyRow,
  createApiKey,
  listApiKeys,
  revokeApiKey,
} from '../../catalogue/organizations/api-keys.ts'
import { endpoint } from '../http/endpoint.ts'
import { pageOf } from '../http/pages.ts'
import { notFound } from '../../request-errors.ts'
import { newKeyBounds } from '../../product/organizations/new-key-bounds.ts'
import { timestamp, timestampOrNull } from '../../product/records/timestamps.ts'

const tag = 'API keys'

export const create = endpoint({
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
  handle: async ({ db, clock }, caller, { params, body }) => {
    const nowMs = clock()
    const { key, value } = await createApiKey(db, params.orgId, {
      name: body.name,
      // Only an ADMIN gets here, so no requested role is above the creator's.
      role: body.role ?? 'EDITOR',
      userId: caller.userId ?? undefined,
      ...newKeyBounds(body, { maker: caller.keyBounds, nowMs }),
      origin: caller.origin,
      nowMs,
    })
    return { ...apiKeyRecord(key), key: value }
  },
})

export const list = endpoint({
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
  handle: async ({ db }, _caller, { params, query }) => {
    const page = pageOf(query)
    const { rows, total } = await listApiKeys(db, params.orgId, page)
    return { data: rows.map(apiKeyRecord), pagination: paginationOf(total, page) }
  },
})

export const revoke = endpoint({
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
  handle: async ({ db, clock }, { origin }, { params }) => {
    const keyId = { organizationId: params.orgId, id: params.id }
    const key = await revokeApiKey(db, keyId, { origin, nowMs: clock() })
    if (key === undefined) throw notFound()
    return apiKeyRecord(key)
  },
})

function apiKeyRecord(key: ApiKeyRow): ApiKey {
  const { id, name, prefix, role, scopes, networks } = key
  return {
    id,
    name,
    prefix,
    role,
    scopes: scopes && [...scopes],
    networks: networks && [...networks],
    createdAt: timestamp(key.createdAtMs),
    madeBy: key.madeBy,
    lastUsedAt: timestampOrNull(key.lastUsedAtMs),
    expiresAt: timestampOrNull(key.expiresAtMs),
    revokedAt: timestampOrNull(key.revokedAtMs),
  }
}
