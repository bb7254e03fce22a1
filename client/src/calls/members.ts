// `npm run generate` writes this file from the table of endpoints.
import type { Member, MemberPage, UpdateMember } from '@everscan/contract/resources/members.ts'
import type { PageQuery } from '@everscan/contract/schema/pages.ts'
import type { Deleted } from '@everscan/contract/schema/common.ts'
import type { CreatedPasswordReset } from '@everscan/contract/resources/password-resets.ts'
import type { Service } from '../calling.ts'
import { iterate } from '../iterate.ts'
import { pathOf, readJson, type CallOptions } from '../send.ts'

export function membersOf({ send }: Service) {
  const calls = {
    /** List the members of the organization, newest first. */
    async list(orgId: string, query: PageQuery = {}, options?: CallOptions): Promise<MemberPage> {
      const path = pathOf`/organizations/${orgId}/members`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /**
     * Yields every record of the list, page by page. If records are deleted meanwhile, it may skip
     * others: collect them first, then delete.
     */
    iterate(orgId: string, options?: CallOptions): AsyncGenerator<Member, void, undefined> {
      return iterate(({ page, limit }) => calls.list(orgId, { limit, page }, options))
    },

    /**
     * Change the role of a member. The keys that the member created never act above the new role.
     * The last ADMIN must stay ADMIN.
     */
    async update(orgId: string, id: string, body: UpdateMember, options?: CallOptions): Promise<Member> {
      const path = pathOf`/organizations/${orgId}/members/${id}`
      return readJson(await send({ method: 'PUT', path, body, idempotent: true, options }))
    },

    /**
     * Remove a member from the organization. The account stays; the API keys that it created here
     * are revoked. The last ADMIN cannot be removed.
     */
    async remove(orgId: string, id: string, options?: CallOptions): Promise<Deleted> {
      const path = pathOf`/organizations/${orgId}/members/${id}`
      return readJson(await send({ method: 'DELETE', path, idempotent: true, options }))
    },

    /**
     * Create a link under which a member sets a new password. Only this response contains the link,
     * which works once, within 1 h. 403 unless the caller is ADMIN of every organization of the
     * member; 409 for the caller's own account.
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
  return calls
}
