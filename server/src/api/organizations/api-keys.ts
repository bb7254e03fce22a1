import { apiKeys } from '@everscan/contract/endpoints/organizations/api-keys.ts'
import type { ApiKey } from '@everscan/contract/resources/api-keys.ts'
import { paginationOf } from '@everscan/contract/schema/pages.ts'
import {
  type ApiKeyRow,
  createApiKey,
  listApiKeys,
  revokeApiKey,
} from '../../catalogue/organizations/api-keys.ts'
import { handler } from '../http/handler.ts'
import { pageOf } from '../http/pages.ts'
import { notFound } from '../../request-errors.ts'
import { newKeyBounds } from '../../product/accounts/new-key-bounds.ts'
import { timestamp, timestampOrNull } from '../../product/records/timestamps.ts'

export const create = handler(apiKeys.create, {
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

export const list = handler(apiKeys.list, {
  handle: async ({ db }, _caller, { params, query }) => {
    const page = pageOf(query)
    const { rows, total } = await listApiKeys(db, params.orgId, page)
    return { data: rows.map(apiKeyRecord), pagination: paginationOf(total, page) }
  },
})

export const revoke = handler(apiKeys.revoke, {
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
