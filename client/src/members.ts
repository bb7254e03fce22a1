import type { Member } from '@everscan/contract/resources/members.ts'
import type { Role } from '@everscan/contract/schema/common.ts'
import { composed, type Composed, type Service } from './calling.ts'
import { membersOf } from './calls/members.ts'
import type { CallOptions } from './send.ts'

/** Members of an organization. `id` is the account's. Changes need a key with role ADMIN. */
export type Members = Composed<typeof membersOf, typeof ownCalls>

export const memberCalls: (service: Service) => Members = composed(membersOf, ownCalls)

function ownCalls(calls: ReturnType<typeof membersOf>) {
  return {
    /** Changes the role of a member. Rejects with a `ConflictError` for the last ADMIN. */
    async update(orgId: string, id: string, role: Role, options?: CallOptions): Promise<Member> {
      return calls.update(orgId, id, { role }, options)
    },
  }
}
