import type {
  ApiKey,
  ApiKeyPage,
  CreateApiKey,
  CreatedApiKey,
} from '@everscan/contract/resources/api-keys.ts'
import type { PageQuery } from '@everscan/contract/schema/pages.ts'
import { pathOf, readJson, type CallOptions, type Send } from './send.ts'

/** API keys of an organization; they need a key with role ADMIN. */
export type ApiKeys = ReturnType<typeof apiKeyCalls>

export function apiKeyCalls(send: Send) {
  return {
    /** Makes a key. Its value is in `key`, shown this once. */
    async create(orgId: string, body: CreateApiKey, options?: CallOptions): Promise<CreatedApiKey> {
      const path = pathOf`/organizations/${orgId}/api-keys`
      return readJson(await send({ method: 'POST', path, body, idempotent: false, options }))
    },

    /** A page of the keys, newest first, without their values. */
    async list(orgId: string, query: PageQuery = {}, options?: CallOptions): Promise<ApiKeyPage> {
      const path = pathOf`/organizations/${orgId}/api-keys`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /** Revokes a key, for ever: from now on it is answered 403. */
    async revoke(orgId: string, id: string, options?: CallOptions): Promise<ApiKey> {
      const path = pathOf`/organizations/${orgId}/api-keys/${id}`
      return readJson(await send({ method: 'DELETE', path, idempotent: true, options }))
    },
  }
}
