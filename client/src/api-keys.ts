import type {
  ApiKey,
  ApiKeyPage,
  CreateApiKey,
  CreatedApiKey,
} from '@everscan/contract/resources/api-keys.ts'
import type { PageQuery } from '@everscan/contract/schema/pages.ts'
import { pathOf, readJson, type CallOptions, type Send } from './send.ts'

/**
 * API keys of an organization. The calls need a key with role ADMIN and, if it has scopes, the
 * scope `admin`.
 */
export type ApiKeys = ReturnType<typeof apiKeyCalls>

export function apiKeyCalls(send: Send) {
  return {
    /**
     * Creates a key. Its value is in `key` and is shown only this once. A key can create only keys
     * with at most its own scopes, networks and time; others are a 400 that names the field.
     */
    async create(orgId: string, body: CreateApiKey, options?: CallOptions): Promise<CreatedApiKey> {
      const path = pathOf`/organizations/${orgId}/api-keys`
      return readJson(await send({ method: 'POST', path, body, idempotent: false, options }))
    },

    /** Returns a page of the keys, newest first, without their values. */
    async list(orgId: string, query: PageQuery = {}, options?: CallOptions): Promise<ApiKeyPage> {
      const path = pathOf`/organizations/${orgId}/api-keys`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /** Revokes a key permanently: the service answers its calls with 403. */
    async revoke(orgId: string, id: string, options?: CallOptions): Promise<ApiKey> {
      const path = pathOf`/organizations/${orgId}/api-keys/${id}`
      return readJson(await send({ method: 'DELETE', path, idempotent: true, options }))
    },
  }
}
