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
import type { ApiError } from '../../errors.ts'
import { endpoint } from '../http/endpoint.ts'
import { pageOf } from '../http/pages.ts'
import type { Caller } from '../http/callers.ts'
import { notFound, validationError } from '../http/request-errors.ts'
import { timestamp, timestampOrNull } from '../../records/timestamps.ts'

const tag = 'API keys'

export const create = endpoint({
  id: 'createApiKey',
  method: 'POST',
  path: '/organizations/:orgId/api-keys',
  role: 'ADMIN',
  tag,
  summary: 'Create an API key.',
  description: `Only this response contains its value. By default the key is an EDITOR. A key that a key creates expires with it at the latest, and keeps working if that one is revoked. At most ${limits.apiKeysMax} keys that are neither revoked nor expired.`,
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
      expiresAtMs: expiryOf(body, caller, nowMs),
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
  const { id, name, prefix, role } = key
  return {
    id,
    name,
    prefix,
    role,
    createdAt: timestamp(key.createdAtMs),
    madeBy: key.madeBy,
    lastUsedAt: timestampOrNull(key.lastUsedAtMs),
    expiresAt: timestampOrNull(key.expiresAtMs),
    revokedAt: timestampOrNull(key.revokedAtMs),
  }
}

/** A key never outlives the key that creates it, or its maker could keep its access in this way. */
function expiryOf(
  { expiresAt }: CreateApiKey,
  { keyExpiresAtMs }: Caller,
  nowMs: number,
): number | undefined {
  if (expiresAt == null) return keyExpiresAtMs ?? undefined
  const timeMs = Date.parse(expiresAt)
  // The schema accepts a leap second, which JavaScript cannot parse.
  if (!(timeMs > nowMs)) throw expiryError(`must be a time in the future, got "${expiresAt}"`)
  if (keyExpiresAtMs !== null && timeMs > keyExpiresAtMs)
    throw expiryError(
      `must be at most ${timestamp(keyExpiresAtMs)}, when the key of this request expires, got "${expiresAt}"`,
    )
  return timeMs
}

function expiryError(message: string): ApiError {
  return validationError([{ path: 'expiresAt', message }])
}
