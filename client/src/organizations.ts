import type { MyOrganizations, Organization } from '@everscan/contract/organizations.ts'
import { readJson, type CallOptions, type Send } from './send.ts'

/** Organizations. */
export type Organizations = ReturnType<typeof organizationCalls>

export function organizationCalls(send: Send) {
  return {
    /** The organizations of the caller; a key has exactly one. */
    async listMine(options?: CallOptions): Promise<Organization[]> {
      const path = '/users/me/organizations'
      const answer = await send({ method: 'GET', path, idempotent: true, options })
      return readJson<MyOrganizations>(answer).organizations
    },
  }
}
