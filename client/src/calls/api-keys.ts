// `npm run generate` writes this file from the table of endpoints.
import type {
  ApiKey,
  ApiKeyPage,
  CreateApiKey,
  CreatedApiKey,
} from '@everscan/contract/resources/api-keys.ts'
import type { PageQuery } from '@everscan/contract/schema/pages.ts'
import type { Service } from '../calling.ts'
import { iterate } from '../iterate.ts'
import { pathOf, readJson, type CallOptions } from '../send.ts'

export function apiKeysOf({ send }: Service) {
  const calls = {
    /**
     * Create an API key. Only this response contains its value. By default the key is an EDITOR. A
     * key that a key creates has at most its scopes, its networks and its time, and keeps working
     * if that one is revoked. At most 1000 keys that are neither revoked nor expired.
     */
    async create(orgId: string, body: CreateApiKey, options?: CallOptions): Promise<CreatedApiKey> {
      const path = pathOf`/organizations/${orgId}/api-keys`
      return readJson(await send({ method: 'POST', path, body, idempotent: false, options }))
    },

    /** List the API keys of the organization, newest first, including revoked ones. */
    async list(orgId: string, query: PageQuery = {}, options?: CallOptions): Promise<ApiKeyPage> {
      const path = pathOf`/organizations/${orgId}/api-keys`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /**
     * Yields every record of the list, page by page. If records are deleted meanwhile, it may skip
     * others: collect them first, then delete.
     */
    iterate(orgId: string, options?: CallOptions): AsyncGenerator<ApiKey, void, undefined> {
      return iterate(({ page, limit }) => calls.list(orgId, { limit, page }, options))
    },

    /**
     * Revoke an API key permanently. Its requests get 403 API_KEY_REVOKED from now on. The key
     * stays in the list. Keys that it created keep working; their `madeBy` names it.
     */
    async revoke(orgId: string, id: string, options?: CallOptions): Promise<ApiKey> {
      const path = pathOf`/organizations/${orgId}/api-keys/${id}`
      return readJson(await send({ method: 'DELETE', path, idempotent: true, options }))
    },
  }
  return calls
}
