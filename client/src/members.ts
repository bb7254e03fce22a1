import type { Deleted, Role } from '@everscan/contract/schema/common.ts'
import type { Member, MemberPage, UpdateMember } from '@everscan/contract/resources/members.ts'
import type { PageQuery } from '@everscan/contract/schema/pages.ts'
import type { CreatedPasswordReset } from '@everscan/contract/resources/password-resets.ts'
import { pathOf, readJson, type CallOptions, type Send } from './send.ts'

/** Members of an organization. `id` is the account's. Changes need a key with role ADMIN. */
export type Members = ReturnType<typeof memberCalls>

export function memberCalls(send: Send) {
  return {
    /** Returns a page of members, newest first. */
    async list(orgId: string, query: PageQuery = {}, options?: CallOptions): Promise<MemberPage> {
      const path = pathOf`/organizations/${orgId}/members`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /** Changes the role of a member. Rejects with a `ConflictError` for the last ADMIN. */
    async update(orgId: string, id: string, role: Role, options?: CallOptions): Promise<Member> {
      const path = pathOf`/organizations/${orgId}/members/${id}`
      const body: UpdateMember = { role }
      return readJson(await send({ method: 'PUT', path, body, idempotent: true, options }))
    },

    /**
     * Removes a member and revokes the keys that the member created. Rejects with a `ConflictError`
     * for the last ADMIN.
     */
    async remove(orgId: string, id: string, options?: CallOptions): Promise<Deleted> {
      const path = pathOf`/organizations/${orgId}/members/${id}`
      return readJson(await send({ method: 'DELETE', path, idempotent: true, options }))
    },

    /**
     * Creates a link for a member to set a new password, shown only this once. Needs a session; the
     * service rejects keys.
     */
    async createPasswordReset(
      orgId: string,
      id: string,
      options?: CallOptions,
    ): Promise<CreatedPasswordReset> {
      const path = pathOf`/organizations/${orgId}/members/${id}/password-reset`
      return readJson(await send({ method: 'POST', path, idempotent: false, options }))
    },
  }
}
